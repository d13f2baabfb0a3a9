import type { EvictionReason, EvictLineage, LineageView } from '@palimpsest/contracts/registry';
import { decided } from './deciding.js';
import { inOpenWorkgroup } from './expire-leases.js';
import { requireLineage, requireLive } from './find-lineage.js';
import { viewOf } from './views.js';
import { unfitting } from './workgroup.errors.js';

/** The clock's and the coordinator's. */
const NOT_FOR_CALLERS: readonly EvictionReason[] = ['LEASE_EXPIRED', 'FINAL_GATE'];

/** Without a fence: whoever works as it is not asked, and finds its fence stale. */
export const decideEvict = inOpenWorkgroup<EvictLineage, LineageView>((workgroup, command, now) => {
  const { lineageId, reason } = command;
  if (NOT_FOR_CALLERS.includes(reason)) throw unfitting('reason');
  requireLive(workgroup, lineageId);
  const payload = { reason };
  return decided({ workgroup, now }, [{ type: 'palimpsest.lineage.evicted', lineageId, payload }], (after) =>
    viewOf(requireLineage(after, lineageId), after.workgroupId),
  );
});
