import type { LineageGrant, ResumeLineage } from '@palimpsest/contracts/registry';
import { isContaminatedFor } from './context-behind.js';
import { decided, nextFence, timeOf, type Moment } from './deciding.js';
import type { Decision } from './decision.js';
import { inOpenWorkgroup } from './expire-leases.js';
import { requireLineage } from './find-lineage.js';
import { granted } from './granted.js';
import { barsToResume } from './isolation.js';
import { CONTAMINATION, differingFields, evictionAfter, judge } from './judge-lineage.js';
import { recordingRefusal } from './record-refusal.js';
import { DEFAULT_LEASE_MS, type Lineage } from './workgroup.js';
import { LineageEvictedError, LineageHeldError, ResumeRefusedError } from './workgroup.errors.js';
import type { WorkgroupEvent } from './workgroup-events.js';
import {
  readPaths,
  requireFreeScope,
  requireInheritedPlace,
  writerScope,
  type WriterScope,
} from './writer-scope.js';

/** The right to go on as a warm worker: by the recorded lineage, whatever copy of it the caller has. */
export const decideResume = inOpenWorkgroup<ResumeLineage, LineageGrant>((workgroup, command, now) => {
  const lineage = requireLineage(workgroup, command.lineageId);
  return recordingRefusal({ lineage, wanted: 'resume' }, () => resume(lineage, command, { workgroup, now }));
});

function resume(lineage: Lineage, command: ResumeLineage, moment: Moment): Decision<LineageGrant> {
  if (lineage.status === 'evicted') throw new LineageEvictedError(lineage);
  if (lineage.status === 'held') throw new LineageHeldError(lineage);
  const stated = requireHot(lineage, command, moment);
  const scope = scopeOfResumed(lineage, command.ownedFiles);
  requireFreeScope(moment.workgroup, scope);
  requireInheritedPlace(moment.workgroup, scope);
  const differences = [
    ...stated,
    ...recordDifferences(lineage, command.record),
    ...(isSameScope(lineage, scope) ? [] : ['ownedFiles']),
  ];
  const payload = {
    fence: nextFence(moment.workgroup),
    expiresAt: timeOf(moment.now + (command.leaseMs ?? DEFAULT_LEASE_MS)),
    ...scope,
    differences,
  };
  const { lineageId } = lineage;
  const resumed: WorkgroupEvent = { type: 'palimpsest.lineage.resumed', lineageId, payload };
  return decided(moment, [resumed], (after) => granted(after, lineageId, differences));
}

/**
 * What the caller states otherwise. A lineage that is contaminated for its own role, by its context, is nobody's (contract
 * §4.4, row 11), and so is one that is to stay apart (row 9).
 */
function requireHot(lineage: Lineage, { current }: ResumeLineage, moment: Moment): readonly string[] {
  const { verdict, differences } = judge(lineage, current, moment);
  if (verdict.state !== 'HOT') {
    const eviction = evictionAfter(verdict, moment.workgroup);
    throw new ResumeRefusedError(lineage, verdict, { eviction });
  }
  if (isContaminatedFor(lineage, lineage.record.role)) {
    const contaminated = { state: 'INVALID', invalidations: [CONTAMINATION] } as const;
    throw new ResumeRefusedError(lineage, contaminated, { eviction: null });
  }
  const reasonCodes = barsToResume(lineage);
  if (reasonCodes.length > 0) throw new ResumeRefusedError(lineage, verdict, { eviction: null, reasonCodes });
  return differences;
}

function scopeOfResumed(
  { record, isWriter, ownedPaths }: Lineage,
  ownedFiles?: readonly string[],
): WriterScope {
  const paths = ownedFiles ? readPaths(ownedFiles) : ownedPaths;
  return writerScope({ declared: isWriter, role: record.role, paths });
}

function isSameScope({ ownedPaths }: Lineage, scope: WriterScope): boolean {
  const owned = new Set(ownedPaths);
  return owned.size === scope.ownedPaths.length && scope.ownedPaths.every((path) => owned.has(path));
}

function recordDifferences({ record }: Lineage, copy: ResumeLineage['record']): readonly string[] {
  return differingFields(copy ?? {}, record).map((field) => `record.${field}`);
}
