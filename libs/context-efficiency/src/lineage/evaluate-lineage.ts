import { refuse } from '../answers/context-refusal.js';
import { factOf, isTrue, requireFacts, type Facts } from '../json/facts.js';
import { instantOf } from '../vocabulary/date-time.js';
import { isLineageRecord, type LineageRecord } from './lineage-record.js';
import { CURRENT_KEYS, mismatches, type Mismatch } from './mismatches.js';

export type LineageState = 'INVALID' | 'RECONCILE_REQUIRED' | 'COLD_VALID' | 'HOT';
export type Invalidation = Mismatch | 'UNKNOWN_PROVENANCE' | 'FINAL_GATE' | 'RECONCILIATION_REQUIRED';

export type LineageVerdict = {
  readonly state: LineageState;
  readonly invalidations: readonly Invalidation[];
};

/**
 * Whether a recorded lineage may be resumed under the current facts (contract §5). The request is `{ lineage,
 * current, now? }`; the clock, in milliseconds, counts where `now` is absent. Only `HOT` may be resumed.
 */
export function evaluateLineage(request: Facts, clock: number): LineageVerdict {
  const current = requireFacts(factOf(request, 'current'));
  const now = Object.hasOwn(request, 'now') ? instantOf(factOf(request, 'now')) : clock;
  if (now === undefined) return refuse('INVALID_DATE_TIME');
  const record = factOf(request, 'lineage');
  const isKnown = isLineageRecord(record) && CURRENT_KEYS.every((key) => Object.hasOwn(current, key));
  return isKnown ? verdictOn(record, current, now) : verdict('INVALID', 'UNKNOWN_PROVENANCE');
}

function verdict(state: LineageState, ...invalidations: readonly Invalidation[]): LineageVerdict {
  return { state, invalidations };
}

/** Rows 3 to 8 of §5.3. */
function verdictOn(record: LineageRecord, current: Facts, now: number): LineageVerdict {
  const differences = mismatches(record, current);
  if (differences.length > 0) return verdict('INVALID', ...differences);
  if (isTrue(current, 'final_gate')) return verdict('INVALID', 'FINAL_GATE');
  const isStale = record.capsule_hash !== factOf(current, 'capsule_hash');
  if (isTrue(current, 'reconcile_required') || isStale) {
    return verdict('RECONCILE_REQUIRED', 'RECONCILIATION_REQUIRED');
  }
  const isFinished = isTrue(current, 'scope_complete') && !isTrue(current, 'likely_continuation');
  return verdict(isFinished || isExpired(record, now) ? 'COLD_VALID' : 'HOT');
}

/** The instant of expiry itself is cold. */
function isExpired({ lease_expires_at: expiry }: LineageRecord, now: number): boolean {
  return now >= (instantOf(expiry) ?? -Infinity);
}
