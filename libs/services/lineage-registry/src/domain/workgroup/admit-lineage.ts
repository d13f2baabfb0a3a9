import type { LineageRecord } from '@palimpsest/context-efficiency';
import type { DelegationView, LineageGrant } from '@palimpsest/contracts/registry';
import { rolesBehind } from './context-behind.js';
import { decided, nextFence, type Moment } from './deciding.js';
import type { Decision } from './decision.js';
import { isLive } from './expire-leases.js';
import { granted } from './granted.js';
import { MOST_DEPTH, MOST_LINEAGES, type Lineage, type Workgroup } from './workgroup.js';
import { NestingLimitError, WorkgroupFullError } from './workgroup.errors.js';
import type { WorkgroupEvent } from './workgroup-events.js';
import type { WriterScope } from './writer-scope.js';

export type Admission = {
  readonly record: LineageRecord;
  readonly scope: WriterScope;
  readonly parent: Lineage | null;
  readonly depth: number;
  /** Whether it begins with its parent's context. */
  readonly inherits: boolean;
  /** Under which it was handed on. */
  readonly delegation?: DelegationView | undefined;
  readonly differences: readonly string[];
};

/** One more lineage with its first lease, in the place of an idle one where the workgroup is full. */
export function admit(moment: Moment, admission: Admission): Decision<LineageGrant> {
  const { record, scope, parent, depth, inherits, delegation, differences } = admission;
  const { lineage_id: lineageId, mode: grant } = record;
  const registered: WorkgroupEvent = {
    type: 'palimpsest.lineage.registered',
    lineageId,
    payload: {
      record,
      ...scope,
      fence: nextFence(moment.workgroup),
      grant,
      depth,
      inheritedFrom: inherits ? record.parent_lineage_id : null,
      inheritedRoles: inherits && parent ? rolesBehind(parent) : [],
      delegationId: delegation?.delegationId ?? null,
      independentReviewer: delegation?.independentReviewer ?? false,
    },
  };
  const events = [...roomFor(moment.workgroup, parent), registered];
  return decided(moment, events, (after) => granted(after, lineageId, differences));
}

export function depthUnder(parent: Lineage | null): number {
  if (!parent) return 0;
  if (parent.depth >= MOST_DEPTH) throw new NestingLimitError(parent);
  return parent.depth + 1;
}

/** Who has been idle for longest goes; a parent is wanted yet. */
function roomFor({ workgroupId, lineages }: Workgroup, parent: Lineage | null): readonly WorkgroupEvent[] {
  const live = [...lineages.values()].filter(isLive);
  if (live.length < MOST_LINEAGES) return [];
  const idle = live.filter((lineage) => lineage.status === 'idle' && lineage !== parent);
  const [longestUnused] = idle.sort(byLastUse);
  if (!longestUnused) throw new WorkgroupFullError(workgroupId);
  const { lineageId } = longestUnused;
  return [{ type: 'palimpsest.lineage.evicted', lineageId, payload: { reason: 'CAPACITY_PRESSURE' } }];
}

/** Both times are written alike, so that texts compare as times do. */
function byLastUse({ record: one }: Lineage, { record: other }: Lineage): number {
  if (one.last_used_at === other.last_used_at) return 0;
  return one.last_used_at < other.last_used_at ? -1 : 1;
}
