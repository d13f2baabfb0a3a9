import type { Invalidation, LineageRecord, LineageVerdict } from '@palimpsest/context-efficiency';
import type { InheritLineage, LineageGrant } from '@palimpsest/contracts/registry';
import { admit, depthUnder } from './admit-lineage.js';
import { isContaminatedFor } from './context-behind.js';
import type { Moment } from './deciding.js';
import type { Decision } from './decision.js';
import { inOpenWorkgroup } from './expire-leases.js';
import { requireLineage, requireParentFence, requireUnknown } from './find-lineage.js';
import { barsToInherit } from './isolation.js';
import { CONTAMINATION, judge } from './judge-lineage.js';
import { newRecord } from './new-record.js';
import { recordingRefusal } from './record-refusal.js';
import {
  delegatedUnit,
  namedDelegation,
  requireDelegated,
  unitPaths,
  type Delegated,
} from './under-delegation.js';
import type { Lineage } from './workgroup.js';
import { InheritanceRefusedError, LineageEvictedError } from './workgroup.errors.js';
import { requireFreeScope, requireInheritedPlace, writerScope } from './writer-scope.js';

/** A child begins with what its parent knows, while the parent works or is warm. A refusal leaves the parent as it is. */
export const decideInherit = inOpenWorkgroup<Delegated<InheritLineage>, LineageGrant>(
  (workgroup, command, now) => {
    const lineage = requireLineage(workgroup, command.lineageId);
    requireParentFence(workgroup, lineage.lineageId, command.parentFence);
    return recordingRefusal({ lineage, wanted: 'inherit' }, () =>
      inherit(lineage, command, { workgroup, now }),
    );
  },
);

function inherit(
  parent: Lineage,
  command: Delegated<InheritLineage>,
  moment: Moment,
): Decision<LineageGrant> {
  const { workgroup } = moment;
  const { mode, leaseMs, isWriter = false } = command;
  const delegation = namedDelegation(command);
  const unit = delegatedUnit(delegation);
  const granted = { parent_lineage_id: parent.lineageId, mode };
  const { record, differences } = newRecord(command.record, { ...moment, leaseMs, unit, granted });
  requireUnknown(workgroup, record.lineage_id);
  const paths = unitPaths(command.ownedFiles, delegation);
  requireDelegated(delegation, { workgroup, record, paths, takenOver: mode });
  if (parent.status === 'evicted') throw new LineageEvictedError(parent);
  const { verdict, differences: stated } = judge(parent, command.current, moment);
  requireHot(parent, verdict);
  requireHot(parent, verdictOnChild(parent, record));
  requireUnbarred(parent);
  const scope = writerScope({ declared: isWriter, role: record.role, paths });
  requireFreeScope(workgroup, scope);
  const depth = depthUnder(parent);
  requireInheritedPlace(workgroup, scope);
  return admit(moment, {
    record,
    scope,
    parent,
    depth,
    inherits: true,
    delegation,
    differences: [...differences, ...stated],
  });
}

function requireHot(parent: Lineage, verdict: LineageVerdict): void {
  if (verdict.state !== 'HOT') throw new InheritanceRefusedError(parent, verdict);
}

function requireUnbarred(parent: Lineage): void {
  const reasonCodes = barsToInherit(parent.record);
  const verdict = { state: 'HOT', invalidations: [] } as const;
  if (reasonCodes.length > 0) throw new InheritanceRefusedError(parent, verdict, reasonCodes);
}

/** What may not be handed on to another platform, to other tools and permissions, or across a sensitivity. */
const KEPT = [
  ['PLATFORM_MISMATCH', 'platform'],
  ['TOOLS_MISMATCH', 'tools_hash'],
  ['PERMISSIONS_MISMATCH', 'permissions_hash'],
  ['SENSITIVITY_MISMATCH', 'sensitivity'],
] as const satisfies readonly (readonly [Invalidation, keyof LineageRecord])[];

/** A child is none of the parent's, but has its context: a reviewer none of a builder's, by no chain. */
function verdictOnChild(parent: Lineage, child: LineageRecord): LineageVerdict {
  const invalidations: readonly Invalidation[] = [
    ...(isContaminatedFor(parent, child.role) ? [CONTAMINATION] : []),
    ...KEPT.filter(([, field]) => parent.record[field] !== child[field]).map(([code]) => code),
  ];
  return { state: invalidations.length > 0 ? 'INVALID' : 'HOT', invalidations };
}
