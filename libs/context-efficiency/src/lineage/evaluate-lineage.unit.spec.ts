import { judged, NOON } from '../testing/judged.js';
import { CURRENT, LINEAGE } from '../testing/lineages.js';

const lineage = (record: unknown, current: unknown = CURRENT, more: object = {}): unknown =>
  judged('lineage', { lineage: record, current, ...more });

const HOT = { state: 'HOT', invalidations: [] };
const COLD = { state: 'COLD_VALID', invalidations: [] };
const invalid = (...invalidations: readonly string[]): object => ({ state: 'INVALID', invalidations });
const UNKNOWN = invalid('UNKNOWN_PROVENANCE');
const RECONCILE = { state: 'RECONCILE_REQUIRED', invalidations: ['RECONCILIATION_REQUIRED'] };

const without = (facts: object, name: string): object =>
  Object.fromEntries(Object.entries(facts).filter(([key]) => key !== name));
const a = (count: number): string => 'a'.repeat(count);
const DIGEST = `sha256:${a(64)}`;

describe('what is asked (§5)', () => {
  it.each([[undefined], [null], ['x'], [[]], [5]])(
    'refuses the current facts %p, whatever else',
    (current) => {
      expect(judged('lineage', { lineage: null, current, now: 'never' })).toBe('INVALID_REQUEST');
    },
  );

  it.each([null, '', 'now', 1_930_000_000, '2031-03-10T12:00:00', true])('refuses the time %p', (now) => {
    expect(lineage(LINEAGE, CURRENT, { now })).toBe('INVALID_DATE_TIME');
    expect(lineage(null, CURRENT, { now })).toBe('INVALID_DATE_TIME');
  });

  it('takes the clock where the time is absent', () => {
    expect(lineage(LINEAGE)).toEqual(HOT);
    const later = { clock: Date.parse('2031-03-10T13:00:00Z') };
    expect(judged('lineage', { lineage: LINEAGE, current: CURRENT }, later)).toEqual(COLD);
  });
});

describe('the record (§5.1, rows 1 and 2)', () => {
  it.each([null, undefined, [], 'x', 5, true])('knows nothing of %p', (record) =>
    expect(lineage(record)).toEqual(UNKNOWN),
  );
  it.each(Object.keys(LINEAGE))('wants %s', (name) =>
    expect(lineage(without(LINEAGE, name))).toEqual(UNKNOWN),
  );
  it.each(Object.keys(CURRENT))('wants %s to be known now', (name) =>
    expect(lineage(LINEAGE, without(CURRENT, name))).toEqual(UNKNOWN),
  );

  it.each(['extra', 'constructor', 'toString', 'hasOwnProperty'])('has no %s', (name) =>
    expect(lineage({ ...LINEAGE, [name]: null })).toEqual(UNKNOWN),
  );
  it('has no __proto__, and none for a missing key', () => {
    const text = JSON.stringify({ lineage: LINEAGE, current: CURRENT });
    expect(judged('lineage', text.replace('"lineage":{', '"lineage":{"__proto__":{},'))).toEqual(UNKNOWN);
    const hidden = JSON.stringify(without(CURRENT, 'role')).replace('{', '{"__proto__":{"role":"builder"},');
    expect(judged('lineage', `{"lineage":${JSON.stringify(LINEAGE)},"current":${hidden}}`)).toEqual(UNKNOWN);
  });

  it.each([
    ['schema', ['knowzcode.agent-lineage/v2', null]],
    ...['lineage_id', 'role', 'scope', 'tools_hash', 'permissions_hash', 'spec_hash', 'scope_hash'].map(
      (name) => [name, ['', null, 5]] as [string, unknown[]],
    ),
    ['workgroup_id', ['', a(129), null]],
    ['platform', ['Claude', 'gpt', null]],
    ...['platform_handle', 'parent_lineage_id', 'model', 'effort'].map(
      (name) => [name, ['', 5, false]] as [string, unknown[]],
    ),
    ['phase', ['1a', '2', 3, null]],
    ['sensitivity', ['secret', null]],
    ['fix_loop_id', ['', a(129), 5]],
    ['mode', ['team', null]],
    ['runtime_prefix_hash', ['x', null, `sha256:${a(63)}`]],
    ['baseline_hash', ['', 'x']],
    ['capsule_hash', ['', 'x', a(64)]],
    ['checkpoint_sha', [a(6), '', 5]],
    ['created_at', ['2031-03-10', null, 5]],
    ['last_used_at', ['2031-02-30T00:00:00Z', null]],
    ['lease_expires_at', ['', 'soon', 5]],
    ['resumable', [null, 'true', 1]],
  ] as [string, unknown[]][])('bounds %s', (name, values) => {
    for (const value of values)
      expect([value, lineage({ ...LINEAGE, [name]: value })]).toEqual([value, UNKNOWN]);
  });

  it.each([
    ['workgroup_id', a(128)],
    ['fix_loop_id', a(128)],
    ['checkpoint_sha', a(7)],
    ['baseline_hash', DIGEST],
    ['model', 'm'],
  ])('takes %s at its bound', (name, value) =>
    expect(lineage({ ...LINEAGE, [name]: value }, { ...CURRENT, [name]: value })).toEqual(HOT),
  );
});

describe('mismatches (row 3)', () => {
  const OTHERS: readonly (readonly [code: string, field: string, value: unknown])[] = [
    ['PLATFORM_MISMATCH', 'platform', 'Codex'],
    ['WORKGROUP_MISMATCH', 'workgroup_id', 'wg-3'],
    ['ROLE_MISMATCH', 'role', 'Builder'],
    ['PHASE_MISMATCH', 'phase', '2B'],
    ['FIX_LOOP_MISMATCH', 'fix_loop_id', ''],
    ['SPEC_MISMATCH', 'spec_hash', 'spec-2'],
    ['SCOPE_MISMATCH', 'scope_hash', 'scope-2'],
    ['CHECKPOINT_MISMATCH', 'checkpoint_sha', '0a1b2c3d'],
    ['MODEL_MISMATCH', 'model', null],
    ['EFFORT_MISMATCH', 'effort', 0],
    ['RUNTIME_PREFIX_MISMATCH', 'runtime_prefix_hash', { x: 1 }],
    ['BASELINE_MISMATCH', 'baseline_hash', DIGEST],
    ['TOOLS_MISMATCH', 'tools_hash', []],
    ['PERMISSIONS_MISMATCH', 'permissions_hash', 'permissions-2'],
    ['SENSITIVITY_MISMATCH', 'sensitivity', 'isolated'],
  ];

  it.each(OTHERS)('%s', (code, field, value) =>
    expect(lineage(LINEAGE, { ...CURRENT, [field]: value })).toEqual(invalid(code)),
  );

  it('are told all, in their order, and before anything else', () => {
    const current = {
      ...Object.fromEntries(OTHERS.map(([, field, value]) => [field, value])),
      capsule_hash: null,
      independent_reviewer: 1,
      final_gate: true,
      reconcile_required: true,
    };
    expect(lineage({ ...LINEAGE, resumable: false }, current)).toEqual(
      invalid('REVIEW_LINEAGE_CONTAMINATION', ...OTHERS.map(([code]) => code), 'NON_RESUMABLE'),
    );
  });

  it('are none in what is not compared', () => {
    const current = {
      ...CURRENT,
      scope: 'x',
      mode: 'local',
      platform_handle: 'h',
      created_at: 1,
      unknown: 2,
    };
    expect(lineage({ ...LINEAGE, created_at: '2099-01-01T00:00:00Z' }, current)).toEqual(HOT);
  });

  it('let a reviewer come back to its own review', () => {
    const own = { ...LINEAGE, role: 'reviewer' };
    expect(lineage(own, { ...CURRENT, role: 'reviewer', independent_reviewer: true })).toEqual(HOT);
    const builder = lineage(LINEAGE, { ...CURRENT, independent_reviewer: 'yes' });
    expect(builder).toEqual(invalid('REVIEW_LINEAGE_CONTAMINATION'));
  });
});

describe('states (rows 4 to 8)', () => {
  const stale = { capsule_hash: DIGEST };
  it.each([
    ['final gate', { final_gate: true, reconcile_required: true }, invalid('FINAL_GATE')],
    ['final gate by a text', { final_gate: 'true' }, HOT],
    ['to reconcile', { reconcile_required: true, scope_complete: true }, RECONCILE],
    ['to reconcile by 1', { reconcile_required: 1 }, HOT],
    ['another capsule', stale, RECONCILE],
    ['scope complete', { scope_complete: true }, COLD],
    ['scope complete, likely to go on', { scope_complete: true, likely_continuation: true }, HOT],
    ['… by a text', { scope_complete: true, likely_continuation: 'true' }, COLD],
    ['likely to go on alone', { likely_continuation: true }, HOT],
  ])('%s', (_, current, expected) => expect(lineage(LINEAGE, { ...CURRENT, ...current })).toEqual(expected));

  it.each([
    ['a millisecond before', '2031-03-10T12:59:59.999Z', HOT],
    ['almost there, beyond milliseconds', '2031-03-10T12:59:59.9999Z', HOT],
    ['the instant itself', '2031-03-10T13:00:00Z', COLD],
    ['the instant itself elsewhere', '2031-03-10T14:00:00+01:00', COLD],
    ['a millisecond after', '2031-03-10T13:00:00.001Z', COLD],
    ['before it was made', '2001-01-01T00:00:00Z', HOT],
  ])('the lease, %s', (_, now, expected) => expect(lineage(LINEAGE, CURRENT, { now })).toEqual(expected));

  it('is cold without a lease', () =>
    expect(lineage({ ...LINEAGE, lease_expires_at: null }, CURRENT, { now: NOON })).toEqual(COLD));
});
