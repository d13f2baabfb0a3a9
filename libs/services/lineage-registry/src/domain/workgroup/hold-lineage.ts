import type { LineageGrant, LineageView, ReleaseLineage, RenewLineage } from '@palimpsest/contracts/registry';
import { decided, timeOf } from './deciding.js';
import { inOpenWorkgroup } from './expire-leases.js';
import { requireHolder, requireLineage } from './find-lineage.js';
import { granted } from './granted.js';
import { viewOf } from './views.js';
import { DEFAULT_LEASE_MS, DEFAULT_WARM_MS } from './workgroup.js';
import type { WorkgroupEvent } from './workgroup-events.js';

/** From now on anew, and under the same fence. */
export const decideRenew = inOpenWorkgroup<RenewLineage, LineageGrant>((workgroup, command, now) => {
  const { lineageId, fence, leaseMs = DEFAULT_LEASE_MS } = command;
  requireHolder(workgroup, lineageId, fence);
  const payload = { fence, expiresAt: timeOf(now + leaseMs) };
  return decided({ workgroup, now }, [{ type: 'palimpsest.lineage.renewed', lineageId, payload }], (after) =>
    granted(after, lineageId),
  );
});

/** The worker stays warm, unless its scope is complete and nothing likely follows (contract §5.3, row 7). */
export const decideRelease = inOpenWorkgroup<ReleaseLineage, LineageView>((workgroup, command, now) => {
  const { lineageId, fence } = command;
  requireHolder(workgroup, lineageId, fence);
  return decided({ workgroup, now }, [released(command, now)], (after) =>
    viewOf(requireLineage(after, lineageId), after.workgroupId),
  );
});

function released(command: ReleaseLineage, now: number): WorkgroupEvent {
  const { lineageId, fence, warmMs = DEFAULT_WARM_MS, scopeComplete, likelyContinuation } = command;
  if (scopeComplete && !likelyContinuation) {
    return { type: 'palimpsest.lineage.evicted', lineageId, payload: { reason: 'NO_LIKELY_CONTINUATION' } };
  }
  const payload = { fence, warmUntil: timeOf(now + warmMs) };
  return { type: 'palimpsest.lineage.released', lineageId, payload };
}
