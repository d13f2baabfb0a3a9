import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { NOON, PRIVATE_LABELS, PRIVATE_VALUES } from '@palimpsest/context-efficiency/testing';
import { errorEnvelopeSchema, type JsonObject } from '@palimpsest/contracts';
import { gatewayMigrations } from '../store/migrations.js';
import { startGateway, type Answer, type GatewayHarness } from '../testing/gateway-harness.js';
import { KeptLog } from '../testing/kept-log.js';

const EVENT = {
  event: 'worker_usage',
  observed_at: NOON,
  provider: 'claude',
  logical: { prompt_bytes: 0 },
  surprise: 'dropped',
};

const CANONICAL = {
  schema: 'knowzcode.efficiency-event/v1',
  event: 'worker_usage',
  observed_at: NOON,
  task_corpus_id: null,
  provider: 'claude',
  runtime: null,
  model: null,
  profile: null,
  mode: null,
  reason_codes: [],
  logical: {
    estimated_context_occupancy: null,
    compaction_count: null,
    repeated_file_reads: null,
    prompt_bytes: 0,
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

const url = '/v1/telemetry/events';
/** Marks of capsules alone: telemetry lets such a text be, and drops it. */
const isPrivateEvent = (answer: Answer): boolean =>
  (answer.body['details'] as JsonObject | undefined)?.['contractCode'] === 'PRIVATE_TELEMETRY';

describe('efficiency events over HTTP', () => {
  const log = new KeptLog();
  let database: TestDatabase;
  let gateway: GatewayHarness;
  beforeAll(async () => {
    database = await createTestDatabase([gatewayMigrations]);
    gateway = await startGateway(database.pool, { ports: { logger: log }, environment: 'lab' });
  });
  beforeEach(() => gateway.registry.reset());
  afterAll(async () => {
    await gateway.close();
    await database.drop();
  });

  const send = (json: unknown, headers = {}): Promise<Answer> =>
    gateway.ask({ method: 'POST', url, json, headers });
  const batch = (...events: readonly object[]) => ({
    events: events.map((event, index) => ({ id: `e-${index}`, event })),
  });

  function refused(answer: Answer, status: number, error: string): JsonObject | undefined {
    const envelope = errorEnvelopeSchema.parse(answer.body);
    expect([answer.status, envelope.error]).toEqual([status, error]);
    expect(gateway.registry.asked).toEqual([]);
    return envelope.details;
  }

  it('are recorded as the contract has them', async () => {
    const answer = await send({ environment: 'staging', ...batch(EVENT, CANONICAL) });
    expect([answer.status, answer.body]).toEqual([200, { recorded: ['e-0', 'e-1'], duplicates: [] }]);
    expect(gateway.registry.askedOf('recordTelemetry')).toEqual([
      {
        tenantId: 'acme',
        environment: 'staging',
        events: [
          { id: 'e-0', event: CANONICAL },
          { id: 'e-1', event: CANONICAL },
        ],
      },
    ]);
  });

  it('are of the host’s environment where they name none', async () => {
    await send(batch(EVENT));
    expect(gateway.registry.askedOf('recordTelemetry')).toMatchObject([{ environment: 'lab' }]);
    await gateway.ask({ method: 'GET', url });
    expect(gateway.registry.askedOf('listTelemetry')).toEqual([
      { tenantId: 'acme', environment: 'lab', after: 0, limit: 100 },
    ]);
  });

  it.each<[string, object, string, string | undefined]>([
    ['an address', { ...EVENT, note: 'ada@example.org' }, 'PRIVATE_TELEMETRY', undefined],
    ['a private key', { ...EVENT, session_id: 1 }, 'PRIVATE_TELEMETRY', undefined],
    [
      'billed values from nowhere',
      { ...EVENT, billed: { amount: 0 } },
      'ACCOUNTING_SOURCE_REQUIRED',
      undefined,
    ],
    ['an unknown word', { ...EVENT, event: 'lunch' }, 'EFFICIENCY_EVENT_INVALID', 'event'],
    [
      'a text for a number',
      { ...EVENT, outcome: { elapsed_ms: '1' } },
      'EFFICIENCY_EVENT_INVALID',
      'outcome.elapsed_ms',
    ],
    ['reasons that are no list', { ...EVENT, reason_codes: 1 }, 'INVALID_REQUEST', 'reason_codes'],
  ])('refuse a batch for one event: %s', async (_, event, contractCode, field) => {
    const details = refused(await send(batch(EVENT, event, { event: 'lunch' })), 422, 'context_refused');
    expect(details).toEqual({ contractCode, index: 1, ...(field !== undefined && { field }) });
  });

  it('say nothing of what is private, wherever it stands', async () => {
    const secrets = [...Object.values(PRIVATE_VALUES), ...Object.values(PRIVATE_LABELS)];
    for (const secret of secrets) {
      const inside = await send(batch({ ...EVENT, note: secret }, { ...EVENT, model: secret }));
      const details = refused(inside, 422, 'context_refused');
      expect(details).toEqual(
        isPrivateEvent(inside)
          ? { contractCode: 'PRIVATE_TELEMETRY', index: 0 }
          : { contractCode: 'EFFICIENCY_EVENT_INVALID', index: 1, field: 'model' },
      );
      expect(inside.text).not.toContain(JSON.stringify(secret).slice(1, -1));
    }
    for (const [index, secret] of Object.values(PRIVATE_VALUES).entries()) {
      const bodies: readonly (readonly [object, string | undefined])[] = [
        [{ ...batch(EVENT), environment: secret }, 'environment'],
        [{ ...batch(EVENT), [secret]: 1 }, undefined],
        [{ events: [{ id: secret, event: EVENT }] }, 'events.0.id'],
        [{ events: [{ id: 'e', event: EVENT, [secret]: 1 }] }, 'events.0'],
      ];
      const [body, field] = bodies[index % bodies.length] ?? [];
      const beside = await send(body);
      expect(refused(beside, 422, 'private_content')).toEqual(field === undefined ? undefined : { field });
      expect(beside.text).not.toContain(JSON.stringify(secret).slice(1, -1));
    }
    const logged = log.lines.join('\n');
    expect(secrets.filter((secret) => logged.includes(JSON.stringify(secret).slice(1, -1)))).toEqual([]);
    const { rows } = await database.pool.query('SELECT * FROM gateway.idempotency');
    expect(rows).toEqual([]);
  });

  it.each([
    {},
    null,
    [],
    { events: [] },
    { events: {} },
    { events: [{ event: 'worker_usage' }] },
    { events: [{ id: 'a' }] },
    { events: [{ event: EVENT }] },
    { events: [{ id: 'a', event: null }] },
    { events: [{ id: 'a', event: [EVENT] }] },
    { events: [{ id: 'a', event: { ...EVENT, note: 'a\u0000' } }] },
    { events: [{ id: '', event: EVENT }] },
    { events: [{ id: 'a b', event: EVENT }] },
    { events: [{ id: 'x'.repeat(129), event: EVENT }] },
    { events: [{ id: 'a', event: EVENT, surprise: 1 }] },
    { environment: 'a b', events: [{ id: 'a', event: EVENT }] },
    { events: [{ id: 'a', event: EVENT }], surprise: 1 },
  ])('are not made of %j', async (json) => {
    refused(await send(json), 400, 'validation_error');
  });

  it.each([
    [199, 200],
    [200, 200],
    [201, 400],
  ])('are at most 200 a batch: %p', async (count, status) => {
    const small = { event: 'worker_usage', observed_at: NOON, provider: 'other' };
    const answer = await send(batch(...Array.from({ length: count }, () => small)));
    expect(answer.status).toBe(status);
    expect(gateway.registry.asked).toHaveLength(status === 200 ? 1 : 0);
  });

  it('are answered once for an idempotency key', async () => {
    const headers = { 'idempotency-key': 'events-1' };
    const first = await send(batch(EVENT), headers);
    const again = await send(batch(EVENT), headers);
    expect([again.status, again.body, again.headers['openwop-idempotent-replay']]).toEqual([
      200,
      first.body,
      'true',
    ]);
    expect(gateway.registry.askedOf('recordTelemetry')).toHaveLength(1);
    expect((await send(batch(CANONICAL), headers)).status).toBe(409);
  });

  it('are listed by page', async () => {
    gateway.registry.answer('listTelemetry', () => ({
      events: [
        { position: 8, id: 'e-1', recordedAt: '2026-01-02T03:04:05.678Z', event: { event: 'worker_usage' } },
      ],
      next: 8,
    }));
    const page = await gateway.ask({ method: 'GET', url: `${url}?environment=staging&after=7&limit=500` });
    expect([page.status, page.body['next']]).toEqual([200, 8]);
    expect(gateway.registry.askedOf('listTelemetry')).toEqual([
      { tenantId: 'acme', environment: 'staging', after: 7, limit: 500 },
    ]);
  });

  it.each([
    'limit=0',
    'limit=501',
    'limit=x',
    'after=-1',
    'after=1.5',
    'after=',
    'environment=',
    'environment=a%00b',
  ])('are not listed for %s', async (query) =>
    refused(await gateway.ask({ method: 'GET', url: `${url}?${query}` }), 400, 'validation_error'),
  );

  it('take a scope each', async () => {
    const reader = await gateway.newKey('acme', ['telemetry:read']);
    const writer = await gateway.newKey('acme', ['telemetry:write']);
    const written = await gateway.ask({ method: 'POST', url, json: batch(EVENT), key: reader });
    expect(written.body).toMatchObject({ details: { scopeRequired: 'telemetry:write' } });
    const read = await gateway.ask({ method: 'GET', url, key: writer });
    expect(read.body).toMatchObject({ details: { scopeRequired: 'telemetry:read' } });
    expect(gateway.registry.asked).toEqual([]);
  });
});
