import { pairs, type Pair } from '@palimpsest/context-efficiency/testing';
import type { JsonValue } from '@palimpsest/contracts';
import { promotionSchema } from '@palimpsest/contracts/registry';
import {
  CANDIDATE,
  environmentOf,
  evidence,
  EVIDENCE_ID,
  moment,
  nameOf,
  NOW,
  RUNGS,
  standing,
  TRUSTED_KEYS,
  type EvidenceOptions,
  type RungName,
} from '../../testing/rollout-cases.js';
import { measurementRunIdOf, promote, promotionOf, type PromotionAttempt } from './promote.js';
import type { EnvironmentRollouts, FamilyRollout } from './rollout.js';
import type { PromotionEvaluatedEvent, RolloutMoment } from './rollout-events.js';

const RUN = `measurement-${'0a'.repeat(8)}`;
const DAY = 86_400_000;
const attemptOf = (of: JsonValue, change: Partial<PromotionAttempt> = {}): PromotionAttempt => ({
  family: 'reuse',
  evidenceArtifactId: EVIDENCE_ID,
  evidence: of,
  trustedKeys: TRUSTED_KEYS,
  ...change,
});
const shadow = environmentOf(standing('reuse', 'shadow'));

type Case = {
  readonly at?: Partial<RolloutMoment>;
  readonly rollouts?: EnvironmentRollouts;
  readonly attempt?: Partial<PromotionAttempt>;
};

/** Names of the gates that failed, or the code of the refusal. */
function failed(
  options: EvidenceOptions | JsonValue,
  { at, rollouts = shadow, attempt }: Case = {},
): unknown {
  const of = isOptions(options) ? evidence(options) : options;
  try {
    const { answer, consumed, events } = promote(rollouts, attemptOf(of, attempt), moment(at));
    const gates = answer.gates.filter(({ passed }) => !passed).map(({ gate }) => gate);
    expect([answer.promoted, consumed !== undefined, events.length === 2]).toEqual(
      Array.from({ length: 3 }, () => gates.length === 0),
    );
    return gates;
  } catch (error) {
    return codeOf(error);
  }
}
function isOptions(value: EvidenceOptions | JsonValue): value is EvidenceOptions {
  const known = ['pairs', 'thresholds', 'envelope', 'measuredAt'];
  return (
    typeof value === 'object' && value !== null && Object.keys(value).every((key) => known.includes(key))
  );
}
function codeOf(error: unknown): unknown {
  const { code, details } = error as { code?: string; details?: Record<string, unknown> };
  if (code === undefined) throw error;
  return details?.['contractCode'] ?? code;
}
const candidates = (change: object, count = 40, baseline: object = {}): Pair[] =>
  pairs().map((pair, place) => ({
    ...pair,
    baseline: { ...pair.baseline, ...baseline },
    candidate: { ...pair.candidate, ...(place < count ? change : {}) },
  }));
const renamed = (of: readonly Pair[]): Pair[] =>
  of.map((pair, place) => ({ ...pair, id: `anon-${String(place).padStart(16, '0')}` }));

describe('gates (§12.3)', () => {
  it.each([
    ['all at their limits', {}, []],
    ['39 pairs', { pairs: pairs().slice(1) }, ['sample_size', 'strata']],
    ['40 of 41 wanted', { thresholds: { minimum_sample_size: 41 } }, ['sample_size']],
    ['7 of a stratum', { pairs: renamed([...pairs().slice(1), ...pairs().slice(8, 9)]) }, ['strata']],
    ['the median of costs', { pairs: candidates({ billed_cost: 75.0001 }) }, ['median_cost']],
    ['three quarters of costs', { pairs: candidates({ billed_cost: 85.0001 }, 11) }, ['p75_cost']],
    ['the tail of costs', { pairs: candidates({ billed_cost: 110.0001 }, 3) }, ['p95_cost']],
    ['time', { pairs: candidates({ wall_time_ms: 850.001 }) }, ['median_wall_time']],
    ['quality', { pairs: candidates({ quality_score: 87.999 }) }, ['quality']],
    ['rework', { pairs: candidates({ rework_rounds: 22 }, 40, { rework_rounds: 20 }) }, ['rework']],
    ['rework where there was none', { pairs: candidates({ rework_rounds: 1 }) }, ['rework']],
    ['an escape', { pairs: candidates({ escaped_high_critical: 1 }, 1) }, ['security']],
    ['an account', { pairs: candidates({ event_accounted_total: 979 }, 1) }, ['reconciliation']],
    ['a tighter limit', { thresholds: { max_quality_drop_points: 1.999 } }, ['quality']],
    ['a looser limit', { thresholds: { max_quality_drop_points: 3 } }, []],
    ['an added stratum', { thresholds: { required_strata: ['other'] } }, ['strata']],
    ['provenance', { pairs: pairs().map((pair) => ({ ...pair, provenance: {} })) }, ['provenance']],
  ] as [string, EvidenceOptions, string[]][])('%s', (_, options, gates) =>
    expect(failed(options)).toEqual(gates),
  );
});

describe("the envelope (§12.4), at the database's time", () => {
  it.each([
    ['30 days old', NOW - 30 * DAY, []],
    ['30 days and a millisecond old', NOW - 30 * DAY - 1, ['provenance']],
    ['a millisecond less than 30 days old', NOW - 30 * DAY + 1, []],
    ['5 minutes ahead', NOW + 300_000, []],
    ['a millisecond more', NOW + 300_001, ['provenance']],
  ])('%s', (_, measuredAt, gates) => expect(failed({ measuredAt })).toEqual(gates));

  it.each([
    ['another candidate version', { candidate_version: '1.4.0' }],
    ['another corpus version', { corpus_version: 'corpus-4' }],
    ['another runtime', { runtime_digest: `sha256:${'8'.repeat(64)}` }],
    ['another number of pairs', { pair_count: 41 }],
    ['a run id that is none', { measurement_run_id: 'measurement-1' }],
    ['no authorization', { promotion_authorized: false }],
  ])('with %s', (_, envelope) => expect(failed({ envelope })).toEqual(['provenance']));

  it.each([
    ['none where it is believed', {}, {}, undefined],
    [
      'of its own',
      { envelope: { candidate_version: '1.4.0', pair_count: 41 } },
      {},
      ['version_mismatch', 'corpus_digest_mismatch'],
    ],
    ['of the run', {}, { isConsumed: true }, ['consumed']],
    [
      'of the pairs',
      { pairs: pairs().map((pair) => ({ ...pair, provenance: {} })) },
      {},
      ['pairs_not_measured'],
    ],
  ] as [string, EvidenceOptions, Partial<RolloutMoment>, string[] | undefined][])(
    'is told with the causes for which it is not believed: %s',
    (_, options, at, causes) => {
      const { answer, events } = promote(shadow, attemptOf(evidence(options)), moment(at));
      const gate = { gate: 'provenance', figure: null, threshold: null, passed: causes === undefined };
      const told = { ...gate, ...(causes && { causes }) };
      expect(promotionSchema.parse(answer).gates[0]).toEqual(told);
      expect((events[0] as PromotionEvaluatedEvent).payload.gates[0]).toEqual(told);
    },
  );

  it('of a run that is used up', () => {
    expect(failed({}, { at: { isConsumed: true } })).toEqual(['provenance']);
    expect(failed({}, { at: { isConsumed: true, isActive: false } })).toEqual(['provenance']);
  });
  it('of a candidate that is not on record', () => {
    const other: FamilyRollout = {
      ...standing('reuse', 'shadow'),
      candidate: { ...CANDIDATE, corpusVersion: 'corpus-2' },
    };
    expect(failed({}, { rollouts: environmentOf(other) })).toEqual(['provenance']);
  });
  it('under no key, and under none that it brings itself', () => {
    for (const trustedKeys of [undefined, '', '{}', 'x'])
      expect(failed({}, { attempt: { trustedKeys } })).toEqual(['provenance']);
    const brought = { ...evidence(), trustedKeys: TRUSTED_KEYS, options: { trustedKeys: TRUSTED_KEYS } };
    expect(failed(brought, { attempt: { trustedKeys: undefined } })).toEqual(['provenance']);
  });
  it('that is signed for other pairs', () => {
    const of = { ...evidence(), pairs: candidates({ billed_cost: 74 }) } as unknown as JsonValue;
    expect(failed(of)).toEqual(['provenance']);
  });
  it('is held against nothing that the evidence says of time, ledger or candidate', () => {
    const stale = evidence({ measuredAt: NOW - 31 * DAY, envelope: { corpus_version: 'corpus-9' } });
    const options = {
      now: new Date(NOW - 31 * DAY).toISOString(),
      expected_corpus_version: 'corpus-9',
      consumed_measurement_run_ids: [],
    };
    expect(failed({ ...stale, options })).toEqual(['provenance']);
  });
  it('may be missing', () =>
    expect(failed({ pairs: pairs() as unknown as JsonValue, x: 1 })).toEqual(['provenance']));
});

describe('evidence that is malformed', () => {
  const good = evidence();
  it.each([
    ['no object', 'x'],
    ['a list', [good]],
    ['null', null],
    ['without pairs', { measurement_envelope: good['measurement_envelope'] ?? null }],
    ['no pairs', { ...good, pairs: [] }],
    ['thresholds that are null', { ...good, thresholds: null }],
    ['a threshold that is text', { ...good, thresholds: { median_cost_reduction: '1' } }],
  ] as [string, JsonValue][])('%s', (_, of) => expect(failed(of)).toBe('INVALID_REQUEST'));
});

describe('the rung', () => {
  const from = (name: RungName, at: Partial<RolloutMoment> = {}): unknown => {
    const rollouts = environmentOf(standing('reuse', name));
    try {
      const { answer } = promote(rollouts, attemptOf(evidence()), moment(at));
      return nameOf(answer.to);
    } catch (error) {
      return codeOf(error);
    }
  };
  it('is the next, from shadow on', () => {
    const next = ['stage_not_next', 'stage_not_next', '10', '25', '50', 'on', 'stage_not_next'];
    expect(RUNGS.map((name) => from(name))).toEqual(next);
  });
  it.each([
    ['observe', 'its next stage is shadow. Promotion begins at shadow.', 'shadow'],
    ['on', 'no stage is above it.', null],
  ] as const)('is said where %s has none to promote to', (name, said, next) => {
    const promoting = () => promote(environmentOf(standing('reuse', name)), attemptOf(evidence()), moment());
    expect(promoting).toThrow(
      expect.objectContaining({
        message: `The rollout is at ${name}: ${said}`,
        details: expect.objectContaining({ stage: name, next: next && { stage: next, canaryPercent: null } }),
      }),
    );
  });
  it('is not taken from a stage that is not active', () => {
    for (const name of ['shadow', '10', '25', '50'] as const)
      expect(from(name, { isActive: false })).toBe('stage_not_active');
    expect(from('observe', { isActive: false })).toBe('stage_not_next');
  });
  it.each([
    [2, 'version_conflict'],
    [3, []],
    [4, 'version_conflict'],
  ])('is taken from the expected version only: %p of 3', (expectedVersion, expected) =>
    expect(failed({}, { attempt: { expectedVersion } })).toEqual(expected),
  );
});

describe('what is recorded', () => {
  it('of a promotion: the evaluation, the change, and the run that is used up', () => {
    const { events, consumed, answer } = promote(shadow, attemptOf(evidence()), moment());
    const [evaluated, changed] = events as [PromotionEvaluatedEvent, unknown];
    expect(evaluated.type).toBe('palimpsest.rollout.promotion_evaluated');
    expect(evaluated.payload).toMatchObject({
      family: 'reuse',
      version: 3,
      promoted: true,
      from: { stage: 'shadow', canaryPercent: null },
      to: { stage: 'canary', canaryPercent: 10 },
      figures: { sample_size: 40, median_cost_reduction: 0.25, trusted_measurement_envelope: true },
      candidate: CANDIDATE,
      measurementRunId: RUN,
      evidenceArtifactId: EVIDENCE_ID,
    });
    expect(evaluated.payload.gates).toContainEqual({
      gate: 'median_cost',
      figure: 0.25,
      threshold: 0.25,
      passed: true,
    });
    expect(changed).toEqual({
      type: 'palimpsest.rollout.stage_changed',
      payload: {
        family: 'reuse',
        version: 4,
        from: { stage: 'shadow', canaryPercent: null },
        to: { stage: 'canary', canaryPercent: 10 },
        by: 'promotion',
        candidate: CANDIDATE,
      },
    });
    expect(consumed).toEqual({ measurementRunId: RUN, family: 'reuse', evidenceArtifactId: EVIDENCE_ID });
    expect(answer).toMatchObject({
      environment: 'staging',
      sequence: 12,
      evaluatedAt: new Date(NOW).toISOString(),
    });
    const recorded = { ...evaluated, sequence: 12, recordedAt: new Date(NOW).toISOString() };
    expect(promotionOf('staging', recorded)).toEqual(answer);
  });

  it('of a refused one: the evaluation, infinity as null, and nothing of the evidence itself', () => {
    const of = evidence({
      pairs: candidates({ rework_rounds: 1 }),
      thresholds: { required_strata: ['someone@example.com'] },
    });
    const { events, answer, ...rest } = promote(shadow, attemptOf(of), moment());
    expect(rest).toEqual({});
    expect(events).toHaveLength(1);
    const rework = { gate: 'rework', figure: null, threshold: 0.05, passed: false };
    expect(answer.gates).toContainEqual(rework);
    expect(events[0]?.payload).toMatchObject({
      promoted: false,
      figures: { rework_relative_regression: null },
    });
    const text = JSON.stringify(events);
    expect(JSON.parse(text)).toEqual(events);
    for (const hidden of ['example.com', 'signature', 'measurement-key', 'provider_reported_total'])
      expect(text).not.toContain(hidden);
  });

  it('has no run id that is not well formed', () => {
    const of = evidence({ envelope: { measurement_run_id: 'someone@example.com' } });
    expect(measurementRunIdOf(of)).toBeUndefined();
    const { events } = promote(shadow, attemptOf(of), moment());
    expect(events[0]?.payload).toMatchObject({ measurementRunId: null });
    expect(JSON.stringify(events)).not.toContain('example.com');
  });
});
