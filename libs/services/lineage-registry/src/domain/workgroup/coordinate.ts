import type { AdvancePhase, Approve, Coordinate, WorkgroupView } from '@palimpsest/contracts/registry';
import { decided, nextFence, timeOf, type Moment } from './deciding.js';
import type { Decision } from './decision.js';
import { afterExpiry, inOpenWorkgroup, isLive, isOver } from './expire-leases.js';
import { workgroupView } from './views.js';
import { DEFAULT_LEASE_MS, type Workgroup } from './workgroup.js';
import { SeatTakenError, StaleSeatError, unfitting } from './workgroup.errors.js';
import type { WorkgroupEvent } from './workgroup-events.js';

/** `stale_fence` for a fence that does not hold the seat, unless the seat is to be taken over. */
export const decideCoordinate = afterExpiry<Coordinate, WorkgroupView>((workgroup, command, now) => {
  const moment = { workgroup, now };
  const fence = holdsSeat(moment, command.fence) ? command.fence : takenFence(moment, command);
  requireSamePhase(workgroup, command);
  const expiresAt = timeOf(now + (command.leaseMs ?? DEFAULT_LEASE_MS));
  return viewed(moment, [
    ...(workgroup.sequence < 0 ? [opened(command)] : []),
    { type: 'palimpsest.workgroup.seat_taken', payload: { fence, expiresAt } },
  ]);
});

/** Any of the five phases may follow any other: work goes back as well. */
export const decideAdvancePhase = inOpenWorkgroup<AdvancePhase, WorkgroupView>((workgroup, command, now) => {
  const { fence, phase: to } = command;
  requireSeat({ workgroup, now }, fence);
  const { phase: from } = workgroup;
  if (from === to) throw unfitting('phase');
  return viewed({ workgroup, now }, [
    { type: 'palimpsest.workgroup.phase_advanced', payload: { fence, from, to } },
  ]);
});

/** At the final gate nobody goes on, neither who works nor who is warm. */
export const decideApprove = inOpenWorkgroup<Approve, WorkgroupView>((workgroup, command, now) => {
  const { fence, subject, finalGate = false } = command;
  requireSeat({ workgroup, now }, fence);
  const payload = { fence, subject, phase: workgroup.phase, finalGate };
  return viewed({ workgroup, now }, [
    { type: 'palimpsest.workgroup.approved', payload },
    ...(finalGate ? allEvicted(workgroup) : []),
  ]);
});

/** A phase is what a workgroup opens with; later it is advanced, or it is said as it is. */
function requireSamePhase({ sequence, phase }: Workgroup, stated: Coordinate): void {
  if (sequence >= 0 && (stated.phase ?? phase) !== phase) throw unfitting('phase');
}

function opened({ phase = '1A' }: Coordinate): WorkgroupEvent {
  return { type: 'palimpsest.workgroup.opened', payload: { phase } };
}

function holdsSeat({ workgroup: { seat }, now }: Moment, fence: number | undefined): fence is number {
  return seat !== null && seat.fence === fence && !isOver(seat.expiresAt, now);
}

function requireSeat(moment: Moment, fence: number): void {
  if (!holdsSeat(moment, fence)) throw new StaleSeatError(moment.workgroup);
}

/** A seat whose lease is over is free. Who names a fence means to go on with it, not to take what others left. */
function takenFence({ workgroup, now }: Moment, { fence, takeOver = false }: Coordinate): number {
  const { workgroupId, seat } = workgroup;
  if (!takeOver && fence !== undefined) throw new StaleSeatError(workgroup);
  if (!takeOver && seat && !isOver(seat.expiresAt, now))
    throw new SeatTakenError(workgroupId, seat.expiresAt);
  return nextFence(workgroup);
}

function allEvicted({ lineages }: Workgroup): readonly WorkgroupEvent[] {
  return [...lineages.values()].filter(isLive).map(({ lineageId }) => ({
    type: 'palimpsest.lineage.evicted',
    lineageId,
    payload: { reason: 'FINAL_GATE' },
  }));
}

function viewed(moment: Moment, events: readonly WorkgroupEvent[]): Decision<WorkgroupView> {
  return decided(moment, events, (workgroup) => workgroupView({ workgroup, now: moment.now }));
}
