import type { Lineage } from './workgroup.js';
import type { LineageEvent } from './workgroup-events.js';

type Stamp = { readonly recordedAt: string };
type Registered = Extract<LineageEvent, { readonly type: 'palimpsest.lineage.registered' }>;
type Later = Exclude<LineageEvent, Registered> & Stamp;

export function registeredLineage({ lineageId, payload }: Registered): Lineage {
  const { record, isWriter, ownedPaths, fence, grant, depth, inheritedRoles } = payload;
  const { delegationId, independentReviewer } = payload;
  return {
    lineageId,
    record,
    isWriter,
    ownedPaths,
    status: 'held',
    fence,
    grant,
    depth,
    reconcileRequired: false,
    eviction: null,
    inheritedRoles,
    independentReviewer,
    delegationId,
    knownRefusals: [],
  };
}

/** The same object where the event changes nothing of the lineage: a result. */
export function evolveLineage(lineage: Lineage, event: Later): Lineage {
  if (event.type === 'palimpsest.lineage.refused')
    return { ...lineage, knownRefusals: [...lineage.knownRefusals, event.payload] };
  const after = changed(lineage, event);
  return after === lineage ? lineage : { ...after, knownRefusals: [] };
}

type Change = Exclude<Later, { readonly type: 'palimpsest.lineage.refused' }>;

function changed(lineage: Lineage, event: Change): Lineage {
  switch (event.type) {
    case 'palimpsest.lineage.resumed': {
      const { fence, expiresAt, isWriter, ownedPaths } = event.payload;
      const record = { ...used(lineage, event.recordedAt, expiresAt), mode: 'resume' as const };
      return { ...lineage, record, isWriter, ownedPaths, fence, grant: 'resume', status: 'held' };
    }
    case 'palimpsest.lineage.renewed':
      return { ...lineage, record: used(lineage, event.recordedAt, event.payload.expiresAt) };
    case 'palimpsest.lineage.released':
      return {
        ...lineage,
        record: used(lineage, event.recordedAt, event.payload.warmUntil),
        status: 'idle',
      };
    case 'palimpsest.lineage.reconcile_required':
      return lineage.reconcileRequired ? lineage : { ...lineage, reconcileRequired: true };
    case 'palimpsest.lineage.reconciled': {
      const record = { ...lineage.record, capsule_hash: event.payload.capsuleHash };
      return { ...lineage, record, reconcileRequired: false };
    }
    case 'palimpsest.lineage.evicted': {
      const record = { ...lineage.record, lease_expires_at: null };
      return { ...lineage, record, status: 'evicted', eviction: event.payload.reason };
    }
    case 'palimpsest.lineage.result_recorded':
      return lineage;
    default:
      return event satisfies never;
  }
}

/** Times of a record are the registry's: a use is one that it recorded. */
function used({ record }: Lineage, usedAt: string, expiresAt: string): Lineage['record'] {
  return { ...record, last_used_at: usedAt, lease_expires_at: expiresAt };
}
