import { judged } from '../testing/judged.js';
import { CURRENT, LINEAGE } from '../testing/lineages.js';

const BAD = 'INVALID_REQUEST';
const MISMATCH = 'DISPATCH_FACT_MISMATCH';
const OFF = { rollout: 'off' };
const dispatch = (request: object): unknown => judged('dispatch', { routing: {}, rollout: OFF, ...request });
const evidence = (current: object = {}, record: unknown = LINEAGE, more: object = {}): object => ({
  lineage: record,
  current: { ...CURRENT, ...current },
  ...more,
});
const routed = (mode: string, ...reason_codes: readonly string[]): object => ({
  routing: { mode, reason_codes },
});

const FRESH = routed('fresh-capsule', 'INDEPENDENT_CAPSULE');
const FALLBACK = routed('fresh-capsule', 'INDEPENDENT_CAPSULE', 'CAPABILITY_FALLBACK');
const RESUME = routed('resume', 'RESUME_COMPATIBLE');
const FULL = routed('inherit-full', 'HIGH_CONTEXT_AFFINITY');
const affine = { affinity: 'high', safe: true, within_budget: true, full_supported: true };
/** A writer, as the role says, with a path of its own. */
const builder = { owned_files: ['src/a'] };

describe('the parts (§11)', () => {
  it('answers the example with all four', () => {
    expect(judged('dispatch', { routing: { blocking: true }, rollout: { rollout: 'shadow' } })).toEqual({
      ...routed('local', 'BLOCKING'),
      rollout: {
        rollout: 'shadow',
        execute_recommendation: false,
        record_actual: true,
        record_recommendation: true,
        selected_mode: 'local',
        canary_bucket: null,
      },
      lineage: null,
      result_policy: null,
    });
  });

  it.each([
    ['wrapped', { input: { blocking: true } }],
    ['with an unset wrapper', { input: null, blocking: true }],
  ])('takes a part %s', (_, routing) =>
    expect(dispatch({ routing })).toMatchObject(routed('local', 'BLOCKING')),
  );

  it.each([
    ['no routing', { routing: null }, BAD],
    ['routing as a list', { routing: [] }, BAD],
    ['routing wrapped as a text', { routing: { input: 'x' } }, BAD],
    ['a lineage as a text', { lineage: 'x' }, BAD],
    ['a lineage without current facts', { lineage: { lineage: LINEAGE } }, BAD],
    ['current facts as a list', { lineage: { lineage: LINEAGE, current: [] } }, BAD],
    ['no rollout', { rollout: null }, BAD],
    ['rollout wrapped as a list', { rollout: { input: [] } }, BAD],
    ['a result policy as a text', { result_policy: 'x' }, BAD],
    ['a result policy wrapped as a text', { result_policy: { input: 'x' } }, BAD],
    ['an unknown stage', { rollout: { rollout: 'x' } }, BAD],
    ['a canary without corpus id', { rollout: { rollout: 'canary' } }, BAD],
    [
      'a denied handoff',
      { result_policy: { writer: true, authorize_handoff: false } },
      'RESULT_HANDOFF_NOT_AUTHORIZED',
    ],
    ['a bad time', { lineage: evidence({}, LINEAGE, { now: null }) }, 'INVALID_DATE_TIME'],
    ['a writer without path', { routing: { role: 'builder' } }, 'WRITER_SCOPE_REQUIRED'],
  ])('refuses %s', (_, request, code) => expect(dispatch(request)).toBe(code));

  it('goes in its order', () => {
    const current = { role: 'x', sensitivity: 'x' };
    const steps: readonly (readonly [object, string])[] = [
      [{ routing: 5 }, BAD],
      [{ lineage: { current: 5 } }, BAD],
      [{ routing: { role: 'y', owned_files: 5 }, lineage: evidence(current, null, { now: 'x' }) }, MISMATCH],
      [{ routing: { owned_files: 5 }, lineage: evidence(current, null, { now: 'x' }) }, 'INVALID_DATE_TIME'],
      [{ routing: { owned_files: 5 } }, 'INVALID_OWNERSHIP_PATH'],
    ];
    const later = { rollout: 5, result_policy: 5 };
    for (const [request, code] of steps) expect(dispatch({ ...later, ...request })).toBe(code);
    const denied = { writer: true, authorize_handoff: false };
    expect(dispatch({ rollout: { rollout: 'x' }, result_policy: denied })).toBe(BAD);
  });

  it('lets the routed mode stand for both modes, whatever came, and misses no recommendation', () => {
    const rollout = { rollout: 'on', actual_mode: 'nonsense', recommended_mode: 5 };
    expect(dispatch({ rollout })).toMatchObject({ rollout: { selected_mode: 'fresh-capsule' } });
    const canary = { rollout: 'canary', canary_percent: 0, task_corpus_id: 'backend-refactor-12' };
    expect(dispatch({ routing: { blocking: 1 }, rollout: { input: canary } })).toMatchObject({
      rollout: { selected_mode: 'local', execute_recommendation: false, canary_bucket: 89.92908699437976 },
    });
  });

  it('judges a result policy, wrapped or not', () => {
    const expected = { result_policy: { mode: 'durable', writes: { handoff: true } } };
    expect(dispatch({ result_policy: { writer: true } })).toMatchObject(expected);
    expect(dispatch({ result_policy: { input: { writer: true } } })).toMatchObject(expected);
  });
});

describe('facts that are stated twice (§11, 3)', () => {
  it.each([
    ['another role', { role: 'reviewer' }, {}],
    ['a null role', { role: null }, {}],
    ['another sensitivity', { sensitivity: 'isolated' }, {}],
    ['a null sensitivity now', { sensitivity: 'normal' }, { sensitivity: null }],
  ])('refuses %s', (_, routing, current) =>
    expect(dispatch({ routing: { ...builder, ...routing }, lineage: evidence(current) })).toBe(MISMATCH),
  );
  it('takes the same, and what only one of them says', () => {
    const lineage = evidence();
    expect(
      dispatch({ routing: { ...builder, role: 'builder', sensitivity: 'normal' }, lineage }),
    ).toMatchObject(RESUME);
    expect(dispatch({ routing: builder, lineage })).toMatchObject(RESUME);
    expect(dispatch({ routing: { role: 'x' }, lineage: { lineage: null, current: {} } })).toMatchObject(
      FRESH,
    );
  });
});

describe('what the router sees (§11, 5)', () => {
  it.each([
    ['hot', {}, {}, RESUME, 'HOT'],
    ['cold', {}, { scope_complete: true }, FRESH, 'COLD_VALID'],
    ['to reconcile', {}, { reconcile_required: true }, FRESH, 'RECONCILE_REQUIRED'],
    ['invalid', {}, { model: 'x' }, FRESH, 'INVALID'],
    ['cold, with affinity', { inheritance: affine }, { scope_complete: true }, FULL, 'COLD_VALID'],
    [
      'to reconcile, with affinity',
      { inheritance: affine },
      { reconcile_required: true },
      FULL,
      'RECONCILE_REQUIRED',
    ],
    ['invalid, with affinity', { inheritance: affine }, { model: 'x' }, FALLBACK, 'INVALID'],
    ['at the final gate, with affinity', { inheritance: affine }, { final_gate: true }, FALLBACK, 'INVALID'],
  ] as [string, object, object, object, string][])(
    'a lineage that is %s',
    (_, ...[routing, current, expected, state]) => {
      // what the caller says of it counts for nothing
      for (const said of [true, false]) {
        const lineage = { compatible: said, resumable: said };
        const request = { routing: { ...builder, lineage, ...routing }, lineage: evidence(current) };
        expect(dispatch(request)).toMatchObject({ ...expected, lineage: { state } });
      }
    },
  );

  it('without a lineage, what the caller says of one', () => {
    const lineage = { compatible: true, resumable: true };
    expect(dispatch({ routing: { lineage } })).toMatchObject({ ...RESUME, lineage: null });
  });

  it('paths of the lineage as the routing has them, its role as the record has it', () => {
    expect(dispatch({ routing: { lineage: { owned_files: ['src/b'] } }, lineage: evidence() })).toMatchObject(
      RESUME,
    );
    const own = { ...LINEAGE, role: 'builder-contaminated' };
    const current = { role: 'builder-contaminated' };
    const request = { routing: { ...builder, lineage: { role: 'x' } }, lineage: evidence(current, own) };
    expect(dispatch(request)).toMatchObject({ ...FRESH, lineage: { state: 'HOT' } });
  });

  it('role and sensitivity as they are now, where that is set', () => {
    const isolated = routed('fresh-capsule', 'INDEPENDENT_CAPSULE', 'SENSITIVITY_ISOLATION');
    expect(dispatch({ lineage: { lineage: null, current: { sensitivity: 'isolated' } } })).toMatchObject(
      isolated,
    );
    expect(dispatch({ lineage: evidence() })).toBe('WRITER_SCOPE_REQUIRED');
    const unset = { lineage: null, current: { role: null } };
    expect(dispatch({ routing: { sensitivity: 'isolated' }, lineage: unset })).toMatchObject(isolated);
  });

  it.each([
    [true, undefined],
    [undefined, true],
  ])('an independent reviewer where either says so: %p, %p', (one, other) => {
    const request = {
      routing: { independent_reviewer: one },
      lineage: { lineage: null, current: { independent_reviewer: other } },
    };
    expect(dispatch(request)).toMatchObject(
      routed('fresh-capsule', 'INDEPENDENT_CAPSULE', 'REVIEW_INDEPENDENCE'),
    );
  });
  it('none where one says so in another form', () => {
    const lineage = { lineage: null, current: { independent_reviewer: 'true' } };
    expect(dispatch({ routing: { independent_reviewer: 1 }, lineage })).toMatchObject(FRESH);
  });
});
