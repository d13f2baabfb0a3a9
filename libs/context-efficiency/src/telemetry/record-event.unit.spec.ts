import { ContextRefusal } from '../answers/context-refusal.js';
import { judged } from '../testing/judged.js';
import { PRIVATE_LABELS, PRIVATE_VALUES } from '../testing/private-values.js';
import { recordEvent } from './record-event.js';

const PRIVATE = 'PRIVATE_TELEMETRY';
const INVALID = 'EFFICIENCY_EVENT_INVALID';
const SOURCE = 'ACCOUNTING_SOURCE_REQUIRED';

const EVENT = { event: 'gate_outcome', observed_at: '2031-03-10T12:00:00.5+01:00', provider: 'claude' };
const record = (change: object | string): unknown =>
  typeof change === 'string'
    ? judged('telemetry', `{"event":${change}}`)
    : judged('telemetry', { event: { ...EVENT, ...change } });

const UNKNOWN = {
  schema: 'knowzcode.efficiency-event/v1',
  ...EVENT,
  task_corpus_id: null,
  runtime: null,
  model: null,
  profile: null,
  mode: null,
  reason_codes: [],
  logical: {
    estimated_context_occupancy: null,
    compaction_count: null,
    repeated_file_reads: null,
    prompt_bytes: null,
    tool_output_bytes: null,
    capsule_bytes: null,
  },
  billed: {
    uncached_input_tokens: null,
    cache_creation_input_tokens: null,
    cache_read_input_tokens: null,
    output_tokens: null,
    amount: null,
    currency: null,
    units: null,
    accounting_source: 'unknown',
  },
  outcome: {
    accepted_workgroup: null,
    verify_passed: null,
    verify_total: null,
    audit_score: null,
    rework_rounds: null,
    escaped_high_critical: null,
    elapsed_ms: null,
  },
};

describe('the canonical event (§7.2)', () => {
  it('has every key, null for what is unknown', () => {
    expect(record({})).toEqual(UNKNOWN);
  });

  it('drops what it does not know, and overwrites the schema', () => {
    const noise = {
      schema: 'other/v9',
      constructor: 'x',
      sessionId: 'x',
      logical: { blog: 'x' },
      extra: { deep: [1] },
    };
    expect(record(noise)).toEqual(UNKNOWN);
    expect(record(JSON.stringify(EVENT).replace('{', '{"__proto__":{"mode":"local"},'))).toEqual(UNKNOWN);
  });

  it('counts unset sections as empty', () =>
    expect(record({ logical: null, billed: null, outcome: null, reason_codes: null })).toEqual(UNKNOWN));

  it('keeps zero apart from unknown', () => {
    const logical = { compaction_count: 0, prompt_bytes: null };
    expect(record({ logical, outcome: { accepted_workgroup: false, audit_score: 0 } })).toMatchObject({
      logical: { ...UNKNOWN.logical, compaction_count: 0 },
      outcome: { ...UNKNOWN.outcome, accepted_workgroup: false, audit_score: 0 },
    });
  });

  it('sorts reasons, each once', () =>
    expect(record({ reason_codes: ['NESTING_LIMIT', 'BLOCKING', 'NESTING_LIMIT'] })).toMatchObject({
      reason_codes: ['BLOCKING', 'NESTING_LIMIT'],
    }));

  it.each([5, 0, true, false, {}, { length: 0 }])('has no reasons %p', (reason_codes) =>
    expect(record({ reason_codes })).toBe('INVALID_REQUEST'),
  );
  it('reads a text as its letters', () => {
    expect(record({ reason_codes: 'BLOCKING' })).toBe(INVALID);
    expect(record({ reason_codes: '' })).toEqual(UNKNOWN);
  });
});

describe('what is asked (§7.1)', () => {
  it.each(['null', 'undefined'])('refuses the event %s', (text) =>
    expect(judged('telemetry', text === 'null' ? { event: null } : {})).toBe('INVALID_REQUEST'),
  );
  it.each(['"x"', '5', 'true', '[]', '[{"event":"gate_outcome"}]', '{}', '0', '""'])(
    'finds %s to be no event',
    (text) => expect(record(text)).toBe(INVALID),
  );
  it('goes in its order', () => {
    const [secret, billed, reasons, broken] = [
      { note: 'sk-12345678' },
      { billed: { amount: 1 } },
      { reason_codes: 5 },
      { provider: 'x' },
    ];
    expect(record({ ...secret, ...billed, ...reasons, ...broken })).toBe(PRIVATE);
    expect(record({ ...billed, ...reasons, ...broken })).toBe(SOURCE);
    expect(record({ ...reasons, ...broken })).toBe('INVALID_REQUEST');
    expect(record(broken)).toBe(INVALID);
    expect(record('"sk-12345678"')).toBe(PRIVATE);
    expect(record('["sk-12345678"]')).toBe(PRIVATE);
  });
});

describe('private content (§7.3)', () => {
  const FOUND = ['bearer', 'openai', 'github', 'gitlab', 'slack', 'aws', 'pem', 'jwt', 'password'];
  const values = [...FOUND.map((name) => PRIVATE_VALUES[name]), ...Object.values(PRIVATE_LABELS)];

  it.each(values)('refuses %p anywhere', (value) => {
    const places = [
      { event: value },
      { provider: value },
      { schema: value },
      { note: value },
      { reason_codes: ['BLOCKING', value] },
      { logical: { unknown: { deep: [[value]] } } },
      { outcome: { verify_total: value } },
    ];
    for (const place of places) expect([place, record(place)]).toEqual([place, PRIVATE]);
  });

  it.each(Object.values(PRIVATE_VALUES))('never records %p', (value) => {
    for (const name of ['event', 'provider', 'runtime', 'model', 'profile', 'mode', 'task_corpus_id']) {
      expect([PRIVATE, INVALID]).toContain(record({ [name]: value }));
    }
    expect(JSON.stringify(record({ note: value }))).not.toContain(value);
  });

  it.each(['prompt', 'prompt_tokens', 'Session_ID', 'x_email_y', 'repo', 'raw_prompt', 'Prompt_Bytes'])(
    'refuses the key %s at any depth, whatever it holds',
    (key) => {
      expect(record({ [key]: null })).toBe(PRIVATE);
      expect(record({ outcome: { more: [{ [key]: 0 }] } })).toBe(PRIVATE);
    },
  );
  it('has one exception', () => {
    expect(record({ prompt_bytes: 'x', deep: [{ prompt_bytes: 1 }] })).toEqual(UNKNOWN);
    expect(record({ logical: { prompt_bytes: 7 } })).toMatchObject({ logical: { prompt_bytes: 7 } });
  });
});

describe('billing (§7.4)', () => {
  const VALUES = [
    'uncached_input_tokens',
    'cache_creation_input_tokens',
    'cache_read_input_tokens',
    'output_tokens',
    'amount',
    'units',
  ];
  it.each(VALUES)('wants a source for %s, zero too', (name) => {
    for (const accounting_source of [undefined, null, 'estimated', 'unknown', 'Authoritative', 5]) {
      expect(record({ billed: { [name]: 0, accounting_source } })).toBe(SOURCE);
    }
    for (const accounting_source of ['authoritative', 'provider-reported']) {
      expect(record({ billed: { [name]: 0, accounting_source } })).toMatchObject({
        billed: { [name]: 0, accounting_source },
      });
    }
    expect(record({ billed: { [name]: '', accounting_source: 'estimated' } })).toBe(SOURCE);
  });
  it('wants none for a currency alone', () =>
    expect(record({ billed: { currency: 'EUR' } })).toMatchObject({ billed: { currency: 'EUR' } }));
  it('has four sources', () => {
    expect(record({ billed: { accounting_source: 'estimated' } })).toMatchObject({});
    expect(record({ billed: { accounting_source: 'guessed' } })).toBe(INVALID);
    expect(record({ billed: { accounting_source: '' } })).toBe(INVALID);
  });
});

describe('schema (§7.5)', () => {
  const billed = (name: string, value: unknown): object => ({
    billed: { [name]: value, accounting_source: 'authoritative' },
  });
  const COUNTS = [
    'compaction_count',
    'repeated_file_reads',
    'prompt_bytes',
    'tool_output_bytes',
    'capsule_bytes',
  ];
  const OUTCOMES = ['verify_passed', 'verify_total', 'rework_rounds', 'escaped_high_critical', 'elapsed_ms'];

  it.each([
    [
      'event',
      ['dispatch_decision', 'x', null, 'Gate_outcome'],
      [
        'worker_usage',
        'worker_completed',
        'verification_run',
        'vault_operation',
        'budget_transition',
        'gate_outcome',
        'lineage_invalidated',
      ],
    ],
    ['observed_at', ['2031-03-10', null, 5], ['2031-03-10T12:00:00Z']],
    ['task_corpus_id', ['x', '', 5], ['anon-0123456789abcdef', 'ui-integration-03', null]],
    ['provider', ['Claude', null, ''], ['claude', 'codex', 'other']],
    ['runtime', ['web', ''], ['cli', 'mcp', 'api', 'desktop', 'plugin', 'unknown', null]],
    [
      'model',
      [
        'gpt-4',
        '',
        `anon-model-${'a'.repeat(15)}`,
        `anon-model-${'a'.repeat(65)}`,
        `anon-model-${'A'.repeat(16)}`,
        5,
      ],
      [
        'unknown',
        'opus',
        'sonnet',
        'haiku',
        'fable',
        'gpt-5',
        'gpt-5.6-sol',
        'gpt-5.6-terra',
        `anon-model-${'a'.repeat(16)}`,
        `anon-model-${'a'.repeat(64)}`,
        null,
      ],
    ],
    ['profile', ['fast', ''], ['quality', 'balanced', 'economy', 'latency', null]],
    ['mode', ['team', ''], ['local', 'resume', 'coordinated-team', null]],
    ['reason_codes', [['x'], [null], [['BLOCKING']]], [[], ['BLOCKING']]],
  ] as [string, unknown[], unknown[]][])('%s', (name, misfits, fits) => {
    for (const value of misfits) expect([value, record({ [name]: value })]).toEqual([value, INVALID]);
    for (const value of fits) expect(record({ [name]: value })).toMatchObject({ [name]: value });
  });

  const misfitCounts = [-1, 0.5, '1', true, [1], {}];
  it.each(COUNTS)('counts %s', (name) => {
    for (const value of misfitCounts)
      expect([value, record({ logical: { [name]: value } })]).toEqual([value, INVALID]);
    expect(record({ logical: { [name]: 1e15 } })).toMatchObject({ logical: { [name]: 1e15 } });
  });
  it.each(OUTCOMES)('counts %s', (name) => {
    for (const value of misfitCounts)
      expect([value, record({ outcome: { [name]: value } })]).toEqual([value, INVALID]);
    expect(record({ outcome: { [name]: 0 } })).toMatchObject({ outcome: { [name]: 0 } });
  });
  it.each(['uncached_input_tokens', 'output_tokens'])('counts %s', (name) => {
    for (const value of misfitCounts) expect([value, record(billed(name, value))]).toEqual([value, INVALID]);
  });
  it.each(['amount', 'units'])('measures %s', (name) => {
    expect(record(billed(name, 0.25))).toMatchObject({ billed: { [name]: 0.25 } });
    for (const value of [-0.01, '1', true])
      expect([value, record(billed(name, value))]).toEqual([value, INVALID]);
  });

  it('takes whole numbers however they are written, and none beyond doubles', () => {
    const text = JSON.stringify(EVENT);
    const outcome = (number: string): string => text.replace('{', `{"outcome":{"elapsed_ms":${number}},`);
    expect(record(outcome('2.0'))).toMatchObject({ outcome: { elapsed_ms: 2 } });
    expect(record(outcome('1e3'))).toMatchObject({ outcome: { elapsed_ms: 1000 } });
    expect(record(outcome('-0'))).toMatchObject({ outcome: { elapsed_ms: 0 } });
    expect(record(outcome('1e999'))).toBe(INVALID);
    const occupancy = text.replace('{', '{"logical":{"estimated_context_occupancy":1e999},');
    expect(record(occupancy)).toBe(INVALID);
  });

  it.each([
    ['audit_score', [-0.1, 100.1, '90'], [0, 99.5, 100]],
    ['accepted_workgroup', ['true', 1, 0], [true, false]],
  ])('bounds %s', (name, misfits, fits) => {
    for (const value of misfits) expect(record({ outcome: { [name]: value } })).toBe(INVALID);
    for (const value of fits)
      expect(record({ outcome: { [name]: value } })).toMatchObject({ outcome: { [name]: value } });
  });
  it.each(['eur', 'EURO', 'EU', 'ÄÖÜ', '', 'EUR\n', 5])('has no currency %p', (currency) =>
    expect(record({ billed: { currency } })).toBe(INVALID),
  );

  it('wants mode and reason of a decision', () => {
    const decision = { event: 'dispatch_decision', mode: 'local', reason_codes: ['BLOCKING'] };
    expect(record(decision)).toMatchObject(decision);
    expect(record({ ...decision, mode: null })).toBe(INVALID);
    expect(record({ ...decision, reason_codes: [] })).toBe(INVALID);
  });
  it('has no more passed than there are', () => {
    expect(record({ outcome: { verify_passed: 3, verify_total: 3 } })).toMatchObject({});
    expect(record({ outcome: { verify_passed: 4, verify_total: 3 } })).toBe(INVALID);
    expect(record({ outcome: { verify_passed: 4 } })).toMatchObject({ outcome: { verify_passed: 4 } });
  });
});

describe('an event that is refused', () => {
  const DECISION = { event: 'dispatch_decision', mode: 'local', reason_codes: ['BLOCKING'] };

  it.each<[string | undefined, object]>([
    [undefined, {}],
    ['event', { event: 'lunch' }],
    ['event', { event: 'lunch', model: 'mine', billed: { currency: 'eur' } }],
    ['observed_at', { observed_at: 'noon' }],
    ['task_corpus_id', { task_corpus_id: 'T-1' }],
    ['provider', { provider: null }],
    ['model', { model: 'mine' }],
    ['mode', { mode: 'guess' }],
    ['reason_codes', { reason_codes: ['CHEAPER'] }],
    ['logical.prompt_bytes', { logical: { prompt_bytes: -1 } }],
    ['billed.currency', { billed: { currency: 'eur' } }],
    ['billed.accounting_source', { billed: { accounting_source: 'mine' } }],
    ['outcome.audit_score', { outcome: { audit_score: 100.5 } }],
    ['outcome.verify_passed', { outcome: { verify_passed: 2, verify_total: 1 } }],
    [undefined, { outcome: { verify_passed: 1, verify_total: 1 } }],
    [undefined, DECISION],
    ['mode', { ...DECISION, mode: null }],
    ['reason_codes', { ...DECISION, reason_codes: [] }],
  ])('names the member to its host, and never in an answer: %s', (field, change) => {
    let refusal: unknown;
    try {
      recordEvent({ event: { ...EVENT, ...change } });
    } catch (error) {
      refusal = error;
    }
    expect(refusal instanceof ContextRefusal ? [refusal.code, refusal.field] : []).toEqual(
      field === undefined ? [] : [INVALID, field],
    );
    if (field !== undefined) expect(record(change)).toBe(INVALID);
  });
});
