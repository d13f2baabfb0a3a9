import { refuse } from '../answers/context-refusal.js';
import { factOf, factsOf, isTrue, isUnset, requireFacts, type Facts } from '../json/facts.js';
import { isCorpusId } from '../vocabulary/identifiers.js';
import { isOneOf, STRATA, type Stratum } from '../vocabulary/words.js';

export type Side = {
  readonly billedCost: number;
  readonly wallTimeMs: number;
  readonly qualityScore: number;
  readonly reworkRounds: number;
  readonly escapedHighCritical: number;
};

/** The same task before and after; the two totals belong to the candidate. */
export type MeasuredPair = {
  readonly id: string;
  readonly stratum: Stratum;
  readonly baseline: Side;
  readonly candidate: Side;
  readonly providerTotal: number | null;
  readonly accountedTotal: number | null;
  readonly isMeasured: boolean;
};

type Bounds = {
  readonly above?: number;
  readonly least?: number;
  readonly most: number;
  readonly whole?: boolean;
};

const COST = 1e9;
const MONTH_MS = 2_678_400_000;
const COUNT: Bounds = { least: 0, most: 1_000_000, whole: true };
const TOTAL = { most: Number.MAX_SAFE_INTEGER, whole: true };

/** Reads all pairs, or refuses them (contract §12.1). */
export function readPairs(value: unknown): readonly MeasuredPair[] {
  if (!Array.isArray(value) || value.length === 0) return refuse('INVALID_REQUEST');
  const pairs = value.map(readPair);
  return new Set(pairs.map(({ id }) => id)).size === pairs.length ? pairs : refuse('INVALID_REQUEST');
}

function readPair(value: unknown): MeasuredPair {
  const facts = requireFacts(value);
  const [id, stratum] = [factOf(facts, 'id'), factOf(facts, 'stratum')];
  const [baseline, candidate] = [factsOf(facts, 'baseline'), factsOf(facts, 'candidate')];
  if (!isCorpusId(id) || !isOneOf(STRATA, stratum)) return refuse('INVALID_REQUEST');
  return {
    id,
    stratum,
    baseline: readSide(baseline, { above: 0 }),
    candidate: readSide(candidate, { least: 0 }),
    providerTotal: totalUnder(candidate, 'provider_reported_total', { ...TOTAL, above: 0 }),
    accountedTotal: totalUnder(candidate, 'event_accounted_total', { ...TOTAL, least: 0 }),
    isMeasured: isMeasured(factsOf(facts, 'provenance')),
  };
}

/** A baseline is divided by: its cost and time are above zero. */
function readSide(facts: Facts, floor: Pick<Bounds, 'above' | 'least'>): Side {
  return {
    billedCost: numberUnder(facts, 'billed_cost', { ...floor, most: COST }),
    wallTimeMs: numberUnder(facts, 'wall_time_ms', { ...floor, most: MONTH_MS }),
    qualityScore: numberUnder(facts, 'quality_score', { least: 0, most: 100 }),
    reworkRounds: numberUnder(facts, 'rework_rounds', COUNT),
    escapedHighCritical: numberUnder(facts, 'escaped_high_critical', COUNT),
  };
}

function totalUnder(facts: Facts, name: string, bounds: Bounds): number | null {
  return isUnset(factOf(facts, name)) ? null : numberUnder(facts, name, bounds);
}

function numberUnder(facts: Facts, name: string, bounds: Bounds): number {
  const { above = -Infinity, least = -Infinity, most, whole = false } = bounds;
  const value = factOf(facts, name);
  if (typeof value !== 'number' || (whole && !Number.isInteger(value))) return refuse('INVALID_REQUEST');
  return value > above && value >= least && value <= most ? value : refuse('INVALID_REQUEST');
}

function isMeasured(provenance: Facts): boolean {
  const isEmpirical = isTrue(provenance, 'empirical') && isTrue(provenance, 'promotion_authorized');
  return isEmpirical && factOf(provenance, 'kind') === 'measured';
}
