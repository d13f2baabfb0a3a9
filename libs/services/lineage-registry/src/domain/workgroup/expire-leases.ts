import { instantOf } from '@palimpsest/context-efficiency';
import { NotFoundError } from '@palimpsest/kernel';
import { foldAt, refusing, type Decide } from './deciding.js';
import type { Decision } from './decision.js';
import type { Lineage, Workgroup } from './workgroup.js';
import type { WorkgroupEvent } from './workgroup-events.js';

/** The instant at which a lease expires is over already (contract §5.3). */
export function isOver(expiresAt: string | null, now: number): boolean {
  return now >= (instantOf(expiresAt) ?? -Infinity);
}

export function isLive({ status }: Lineage): boolean {
  return status !== 'evicted';
}

/** What ends by itself at a time: leases of holders, and the warmth of workers that nobody came back to. */
export function expiredLeases({ lineages }: Workgroup, now: number): readonly WorkgroupEvent[] {
  return [...lineages.values()]
    .filter((lineage) => isLive(lineage) && isOver(lineage.record.lease_expires_at, now))
    .map(({ lineageId }) => ({
      type: 'palimpsest.lineage.evicted',
      lineageId,
      payload: { reason: 'LEASE_EXPIRED' },
    }));
}

/** Whoever decides meets no lease that is over. Its refusals are decisions too: what has expired is recorded with them. */
export function afterExpiry<Command, Answer>(decide: Decide<Command, Answer>): Decide<Command, Answer> {
  return (workgroup, command, now) => {
    const expired = expiredLeases(workgroup, now);
    const current = foldAt({ workgroup, now }, expired);
    const decision = refusing(() => decide(current, command, now));
    return { ...decision, events: [...expired, ...decision.events] };
  };
}

/** As {@link afterExpiry}; `not_found` where nobody has opened the workgroup. */
export function inOpenWorkgroup<Command, Answer>(decide: Decide<Command, Answer>): Decide<Command, Answer> {
  return afterExpiry((workgroup, command, now) => {
    const { workgroupId, sequence } = workgroup;
    if (sequence < 0) throw new NotFoundError('The workgroup', { workgroupId });
    return decide(workgroup, command, now);
  });
}

/** What a sweep does where nobody comes; `evicted` counts. */
export function sweep(workgroup: Workgroup, now: number): Decision<{ readonly evicted: number }> {
  const events = expiredLeases(workgroup, now);
  return { events, answer: { evicted: events.length } };
}
