import type { LineageView, ReconcileLineage } from '@palimpsest/contracts/registry';
import { NotFoundError } from '@palimpsest/kernel';
import { decided, type Decide } from './deciding.js';
import { inOpenWorkgroup } from './expire-leases.js';
import { requireHolder, requireLineage, requireLive } from './find-lineage.js';
import { viewOf } from './views.js';
import type { Workgroup } from './workgroup.js';

/** `capsuleKnown`: whether the capsule was recorded in the workgroup before. */
export function decideReconcile(capsuleKnown: boolean): Decide<ReconcileLineage, LineageView> {
  return inOpenWorkgroup((workgroup, command, now) => {
    const { lineageId, capsuleHash } = command;
    requireRight(workgroup, command);
    if (!capsuleKnown) throw new NotFoundError('The capsule', { capsuleHash });
    const payload = { capsuleHash };
    return decided(
      { workgroup, now },
      [{ type: 'palimpsest.lineage.reconciled', lineageId, payload }],
      (after) => viewOf(requireLineage(after, lineageId), after.workgroupId),
    );
  });
}

/** Anybody's where nobody holds the lineage. A fence that is named has to hold all the same: it may be an old one. */
function requireRight(workgroup: Workgroup, { lineageId, fence }: ReconcileLineage): void {
  const { status } = requireLive(workgroup, lineageId);
  if (status === 'held' || fence !== undefined) requireHolder(workgroup, lineageId, fence);
}
