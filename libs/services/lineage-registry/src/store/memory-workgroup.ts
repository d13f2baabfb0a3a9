import type { CapsuleView, DelegationView } from '@palimpsest/contracts/registry';
import { delegationView } from '../domain/delegation/delegation-view.js';
import type { Lineage, Workgroup } from '../domain/workgroup/workgroup.js';
import type { RecordedWorkgroupEvent } from '../domain/workgroup/workgroup-events.js';
import type { WorkgroupKey } from './find-expired.js';

export type StoredWorkgroup = {
  /** Without its lineages. */
  readonly state: Workgroup;
  readonly events: readonly RecordedWorkgroupEvent[];
};

/** `registered` and `changed` are sequences of the workgroup. */
export type StoredLineage = WorkgroupKey & {
  readonly lineage: Lineage;
  readonly registered: number;
  readonly changed: number;
};

export function stateOf(workgroup: Workgroup): Workgroup {
  return { ...workgroup, lineages: new Map() };
}

/** The first that was recorded under a hash stays. */
export function capsulesIn(events: readonly RecordedWorkgroupEvent[]): readonly CapsuleView[] {
  return events.flatMap((event) => {
    if (event.type !== 'palimpsest.capsule.recorded') return [];
    return [{ ...event.payload, recordedAt: event.recordedAt }];
  });
}

export function delegationsIn(
  workgroupId: string,
  events: readonly RecordedWorkgroupEvent[],
): readonly DelegationView[] {
  return events.flatMap((event) =>
    event.type === 'palimpsest.delegation.recorded' ? [delegationView(workgroupId, event, event)] : [],
  );
}

/** Workgroups with a lease that is over, the longest over first. */
export function expiredIn(lineages: readonly StoredLineage[], now: number): readonly WorkgroupKey[] {
  const over = lineages
    .map(({ tenantId, workgroupId, lineage }) => ({ tenantId, workgroupId, endsAt: leaseEnd(lineage) }))
    .filter(({ endsAt }) => endsAt <= now)
    .sort((one, other) => one.endsAt - other.endsAt);
  const first = new Map<string, WorkgroupKey>();
  for (const { tenantId, workgroupId } of over) {
    const key = `${tenantId}/${workgroupId}`;
    if (!first.has(key)) first.set(key, { tenantId, workgroupId });
  }
  return [...first.values()];
}

function leaseEnd({ status, record }: Lineage): number {
  const isOver = status === 'evicted' || record.lease_expires_at === null;
  return isOver ? Infinity : Date.parse(record.lease_expires_at);
}
