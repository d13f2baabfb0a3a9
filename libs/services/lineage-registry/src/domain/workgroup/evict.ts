import type { EvictLineage, LineageView } from '@palimpsest/contracts/registry';
import { decided } from './deciding.js';
import { inOpenWorkgroup } from './expire-leases.js';
import { requireLineage, requireLive } from './find-lineage.js';
import { viewOf } from './views.js';

/** Without a fence: whoever works as it is not asked, and finds its fence stale. */
export const decideEvict = inOpenWorkgroup<EvictLineage, LineageView>((workgroup, command, now) => {
  const { lineageId, reason } = command;
  requireLive(workgroup, lineageId);
  const payload = { reason };
  return decided({ workgroup, now }, [{ type: 'palimpsest.lineage.evicted', lineageId, payload }], (after) =>
    viewOf(requireLineage(after, lineageId), after.workgroupId),
  );
});
