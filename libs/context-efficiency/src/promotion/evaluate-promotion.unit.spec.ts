import { judged } from '../testing/judged.js';
import { options, pairs, TRUSTED_KEYS, type Pair } from '../testing/measurements.js';
import { PUBLISHED } from './thresholds.js';
import { promotionReport, type PromotionVerdict } from './evaluate-promotion.js';

const BAD = 'INVALID_REQUEST';
const trusted = { trustedKeys: TRUSTED_KEYS };

const promote = (of: readonly unknown[], thresholds?: unknown): PromotionVerdict =>
  judged('promotion', { pairs: of, thresholds, options: options(of) }, trusted) as PromotionVerdict;
const evaluated = (of: unknown, thresholds?: unknown): unknown =>
  judged('promotion', { pairs: of, thresholds });

/** The pairs, with the candidates (or whole pairs) of some of them changed. */
const changed = (change: (pair: Pair, place: number) => Partial<Pair>): Pair[] =>
  pairs().map((pair, place) => ({ ...pair, ...change(pair, place) }));
const candidates = (change: (place: number) => object, baseline: object = {}): Pair[] =>
  changed((pair, place) => ({
    candidate: { ...pair.candidate, ...change(place) },
    baseline: { ...pair.baseline, ...baseline },
  }));
const failed = ({ gates }: PromotionVerdict): readonly string[] =>
  Object.entries(gates).flatMap(([name, passed]) => (passed ? [] : [name]));

describe('promotion (§12)', () => {
  it('is granted at every limit exactly', () => {
    expect(promote(pairs())).toEqual({
      promote: true,
      metrics: {
        sample_size: 40,
        stratum_counts: {
          'small-tier2': 8,
          'backend-refactor': 8,
          'ui-integration': 8,
          'security-compliance': 8,
          'recovery-invalidation': 8,
        },
        median_cost_reduction: 0.25,
        p75_cost_reduction: 0.25,
        p95_cost_regression: -0.25,
        median_wall_time_reduction: 0.15,
        quality_drop_points: 2,
        rework_relative_regression: 0,
        new_high_critical_escape: false,
        max_provider_reconciliation_error: 0.02,
        provider_accounting_complete: true,
        measured_pair_provenance: true,
        trusted_measurement_envelope: true,
      },
      gates: {
        provenance: true,
        sample_size: true,
        strata: true,
        median_cost: true,
        p75_cost: true,
        p95_cost: true,
        median_wall_time: true,
        quality: true,
        rework: true,
        security: true,
        reconciliation: true,
      },
    });
  });

  const only =
    (place: number, change: object): ((place: number) => object) =>
    (each) =>
      each === place ? change : {};

  it.each([
    ['39 pairs', pairs().slice(1), ['sample_size', 'strata']],
    [
      '41 pairs, 7 of one stratum',
      [...pairs().slice(1), ...pairs(10).slice(18, 20)].map((pair, place) => ({
        ...pair,
        id: `anon-${String(place).padStart(16, '0')}`,
      })),
      ['strata'],
    ],
    ['a median cost just above', candidates(() => ({ billed_cost: 75.0001 })), ['median_cost']],
    [
      'a quarter that saves just too little',
      candidates((place) => ({ billed_cost: place < 11 ? 85.0001 : 70 })),
      ['p75_cost'],
    ],
    ['a quarter at its limit', candidates((place) => ({ billed_cost: place < 11 ? 85 : 70 })), []],
    ['a tail at its limit', candidates((place) => ({ billed_cost: place < 3 ? 110 : 70 })), []],
    ['a tail just above', candidates((place) => ({ billed_cost: place < 3 ? 110.0001 : 70 })), ['p95_cost']],
    ['a time just above', candidates(() => ({ wall_time_ms: 850.001 })), ['median_wall_time']],
    ['quality just below', candidates(() => ({ quality_score: 87.999 })), ['quality']],
    ['rework where there was none', candidates(() => ({ rework_rounds: 1 })), ['rework']],
    ['rework at its limit', candidates(() => ({ rework_rounds: 21 }), { rework_rounds: 20 }), []],
    ['rework above', candidates(() => ({ rework_rounds: 22 }), { rework_rounds: 20 }), ['rework']],
    ['one new escape', candidates(only(7, { escaped_high_critical: 1 })), ['security']],
    [
      'as many escapes as before',
      candidates(() => ({ escaped_high_critical: 2 }), { escaped_high_critical: 2 }),
      [],
    ],
    ['an account just too low', candidates(only(0, { event_accounted_total: 979 })), ['reconciliation']],
    ['an account just too high', candidates(only(0, { event_accounted_total: 1021 })), ['reconciliation']],
    ['an account at its limit above', candidates(only(0, { event_accounted_total: 1020 })), []],
    ['a missing total', candidates(only(3, { provider_reported_total: null })), ['reconciliation']],
    ['another missing total', candidates(only(3, { event_accounted_total: null })), ['reconciliation']],
    ['no totals at all', candidates(() => ({ event_accounted_total: null })), ['reconciliation']],
    ...[
      { kind: 'simulated', empirical: true, promotion_authorized: true },
      { kind: 'measured', empirical: 'true', promotion_authorized: true },
      { kind: 'measured', empirical: true },
      null,
    ].map(
      (provenance) =>
        [
          `provenance ${JSON.stringify(provenance)}`,
          changed((_, place) => (place === 39 ? { provenance: provenance as object } : {})),
          ['provenance'],
        ] as [string, Pair[], string[]],
    ),
  ] as [string, Pair[], string[]][])('%s', (_, of, gates) => {
    const verdict = promote(of);
    expect(failed(verdict)).toEqual(gates);
    expect(verdict.promote).toBe(gates.length === 0);
  });

  it('writes infinite rework as null, and no error as null', () => {
    const none = { provider_reported_total: null };
    expect(promote(candidates(() => ({ rework_rounds: 1, ...none }))).metrics).toMatchObject({
      rework_relative_regression: null,
      max_provider_reconciliation_error: null,
      provider_accounting_complete: false,
    });
  });

  it('counts the label, and leaves strata with none out', () => {
    const of = changed(() => ({ stratum: 'ui-integration' }));
    expect(promote(of).metrics.stratum_counts).toEqual({ 'ui-integration': 40 });
  });

  it('judges without an envelope too', () => {
    expect(failed(evaluated(pairs()) as PromotionVerdict)).toEqual(['provenance']);
    for (const said of [null, 'x', []]) {
      const result = judged('promotion', { pairs: pairs(), options: said }, trusted);
      expect(failed(result as PromotionVerdict)).toEqual(['provenance']);
    }
  });
});

describe('input errors (§12.1)', () => {
  it.each([[null], [undefined], ['x'], [{}], [[]], [[null]], [[[]]]])('has no pairs %j', (of) =>
    expect(evaluated(of)).toBe(BAD),
  );

  const one = (change: object): unknown => evaluated([{ ...pairs()[0], ...change }]);
  const side = (name: 'baseline' | 'candidate', field: string, value: unknown): unknown =>
    one({ [name]: { ...pairs()[0]?.[name], [field]: value } });

  it.each([
    ['no id', { id: null }],
    ['an id that is none', { id: 'frontend-01' }],
    ['no stratum', { stratum: undefined }],
    ['a stratum that is none', { stratum: 'frontend' }],
    ['no baseline', { baseline: null }],
    ['no candidate', { candidate: [] }],
  ])('refuses a pair with %s', (_, change) => expect(one(change)).toBe(BAD));
  it('refuses an id twice', () => expect(evaluated([pairs()[0], pairs()[0]])).toBe(BAD));

  const SAFE = Number.MAX_SAFE_INTEGER;
  const BOUNDS: readonly (readonly [
    'baseline' | 'candidate',
    string,
    readonly unknown[],
    readonly unknown[],
  ])[] = [
    ['baseline', 'billed_cost', [0, -1, 1e9 + 1, '1', null, undefined, true], [1e-9, 1e9]],
    ['candidate', 'billed_cost', [-0.001, 1e9 + 1, null], [0, 1e9]],
    ['baseline', 'wall_time_ms', [0, 2_678_400_001, '1'], [0.5, 2_678_400_000]],
    ['candidate', 'wall_time_ms', [-1, 2_678_400_001, null], [0, 2_678_400_000]],
    ...(['baseline', 'candidate'] as const).flatMap(
      (name) =>
        [
          [name, 'quality_score', [-0.1, 100.1, null], [0, 100]],
          [name, 'rework_rounds', [-1, 0.5, 1_000_001, null], [0, 1_000_000]],
          [name, 'escaped_high_critical', [-1, 0.5, 1_000_001, null], [0, 1_000_000]],
        ] as const,
    ),
    ['candidate', 'provider_reported_total', [0, -1, 0.5, SAFE + 1, '1'], [1, SAFE, null, undefined]],
    ['candidate', 'event_accounted_total', [-1, 0.5, SAFE + 1, true], [0, SAFE, null, undefined]],
  ];
  it.each(BOUNDS)('bounds %s.%s', (name, field, misfits, fits) => {
    for (const value of misfits) expect([value, side(name, field, value)]).toEqual([value, BAD]);
    for (const value of fits) expect(side(name, field, value)).toMatchObject({ promote: false });
  });
  it('refuses numbers beyond doubles', () => {
    const text = JSON.stringify({ pairs: pairs() }).replace('"billed_cost":75', '"billed_cost":1e999');
    expect(judged('promotion', text)).toBe(BAD);
  });

  it.each([null, [], 'x', 5, true])('has no thresholds %j', (thresholds) =>
    expect(evaluated(pairs(), thresholds)).toBe(BAD),
  );
  it.each([{ minimum_sample_size: '40' }, { unknown: null }, { unknown: 'x' }, { max_p95_regression: true }])(
    'has no limits %j',
    (thresholds) => expect(evaluated(pairs(), thresholds)).toBe(BAD),
  );
});

describe('thresholds (§12.3)', () => {
  it.each([
    ['minimum_sample_size', 39, 41, 'sample_size'],
    ['minimum_per_stratum', 7, 9, 'strata'],
    ['median_cost_reduction', 0.2, 0.2500001, 'median_cost'],
    ['p75_cost_reduction', 0.1, 0.2500001, 'p75_cost'],
    ['max_p95_regression', 0.2, -0.2500001, 'p95_cost'],
    ['median_wall_time_reduction', 0, 0.1500001, 'median_wall_time'],
    ['max_quality_drop_points', 5, 1.999, 'quality'],
    ['max_rework_relative_regression', 0.5, -0.001, 'rework'],
    ['provider_reconciliation_tolerance', 0.5, 0.0199, 'reconciliation'],
  ])('%s is tightened only', (name, looser, tighter, gate) => {
    expect(failed(promote(pairs(), { [name]: tighter }))).toEqual([gate]);
    expect(failed(promote(pairs(), { [name]: looser }))).toEqual([]);
    const failing = candidates((place) => ({
      billed_cost: place < 20 ? 76 : 130,
      wall_time_ms: 999,
      quality_score: 80,
      rework_rounds: 2,
      event_accounted_total: 800,
    }));
    const plain = failed(promote(failing));
    expect(failed(promote(failing, { [name]: looser }))).toEqual(plain);
  });

  it('takes looser and tighter ones together, name by name', () =>
    expect(failed(promote(pairs(), { minimum_sample_size: 1, max_quality_drop_points: 1 }))).toEqual([
      'quality',
    ]));

  it.each([[['frontend']], [['constructor']], [[5]], [[null]], [['ui-integration', '__proto__']]])(
    'requires %j for good',
    (required_strata) => expect(failed(promote(pairs(), { required_strata }))).toEqual(['strata']),
  );
  it.each([[[]], ['x'], [null], [{}], [['ui-integration']]])(
    'required_strata %j takes none away',
    (required_strata) => {
      expect(failed(promote(pairs(), { required_strata }))).toEqual([]);
      expect(failed(promote(pairs().slice(1), { required_strata }))).toEqual(['sample_size', 'strata']);
    },
  );

  it('are reported with their figures', () => {
    const report = promotionReport({ pairs: pairs() }, { clock: 0, trustedKeys: undefined });
    expect(report.gates).toContainEqual({
      gate: 'strata',
      figure: 8,
      threshold: PUBLISHED.minimum_per_stratum,
      passed: true,
    });
    expect(report.gates).toContainEqual({
      gate: 'provenance',
      figure: null,
      threshold: null,
      passed: false,
      causes: ['malformed'],
    });
    expect(report.gates).toHaveLength(11);
  });
});
