import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import type { JsonObject } from '@palimpsest/contracts';
import { TerminalError } from '@palimpsest/kernel';
import { workgroupScope } from '../domain/artifact-scopes.js';
import { vaultCallsSchema, knowledgeVerdictSchema } from '../openapi/knowledge-schemas.js';
import { gatewayMigrations } from '../store/migrations.js';
import { startGateway, textIn, type Answer, type GatewayHarness } from '../testing/gateway-harness.js';
import { KNOWLEDGE_DELTA } from '../testing/workgroup-requests.js';

/** Of the delta, by the contract's own example (§10.1). */
const HASH = '1cda25a9aecca8f9aadc3589ec7f107fc9626073f39c8827efd058474a1ee366';
const DELTAS = '/v1/workgroups/wg.1/knowledge-deltas';
const writing = { lineageId: 'l.1', fence: 2 };
const OTHER = { title: 'Locks', content: 'One lock a transaction.' };

describe('knowledge for the vault', () => {
  let database: TestDatabase;
  let gateway: GatewayHarness;
  beforeAll(async () => {
    database = await createTestDatabase([gatewayMigrations]);
    gateway = await startGateway(database.pool);
  });
  beforeEach(() => gateway.registry.reset());
  afterAll(async () => {
    await gateway.close();
    await database.drop();
  });

  const post = (url: string, json: unknown, headers = {}): Promise<Answer> =>
    gateway.ask({ method: 'POST', url, json, headers });
  const hand = (delta: JsonObject, more: JsonObject = {}): Promise<Answer> =>
    post(DELTAS, { ...writing, delta, ...more });
  const accepted = (): readonly JsonObject[] =>
    gateway.registry.askedOf('acceptKnowledge') as readonly JsonObject[];
  /** What the registry is told of one delta, and what lies in the artifact store. */
  async function stored(delta: JsonObject, more: JsonObject = {}): Promise<readonly [string, unknown]> {
    await hand(delta, more);
    const artifactId = textIn(accepted().at(-1) ?? {}, 'artifactId');
    const scope = workgroupScope('wg.1');
    const reading = await gateway.ports.artifacts.getForRun('acme', scope, artifactId);
    return [artifactId, reading];
  }

  it('goes to the artifact store, and by its id and hash to the registry', async () => {
    const [artifactId, reading] = await stored(KNOWLEDGE_DELTA);
    expect(reading).toMatchObject({ type: 'knowledge.delta', content: KNOWLEDGE_DELTA });
    expect(accepted()).toEqual([
      {
        tenantId: 'acme',
        workgroupId: 'wg.1',
        ...writing,
        artifactId,
        deltaHash: HASH,
        action: 'batch',
      },
    ]);
    expect(JSON.stringify(gateway.registry.asked)).not.toContain('One writer');
  });

  it('is one artifact however often one writer says it, and another writer’s is another', async () => {
    const [first] = await stored(KNOWLEDGE_DELTA);
    expect((await stored(KNOWLEDGE_DELTA))[0]).toBe(first);
    expect((await stored(KNOWLEDGE_DELTA, { lineageId: 'l.2' }))[0]).not.toBe(first);
    expect((await stored(OTHER))[0]).not.toBe(first);
  });

  it('has its scope from the workgroup’s id', () => {
    // printf 'wg.1' | sha256sum
    expect(workgroupScope('wg.1')).toBe('workgroup-6444a004c80adbc9d901e4a052d10710');
    expect(workgroupScope('x'.repeat(128))).toMatch(/^workgroup-[0-9a-f]{32}$/);
  });

  const before = { title: 'Owner', content: 'Two writers.', semantic_key: 'owner', KnowledgeId: 'k-1' };
  it.each<[string, JsonObject, JsonObject]>([
    ['batched', {}, { action: 'batch', reason: 'NORMAL_DELTA' }],
    ['saved at once', { explicitSave: true }, { action: 'flush', reason: 'EXPLICIT_SAVE' }],
    [
      'saved before an interruption',
      { interruptionSensitive: true },
      { action: 'flush', reason: 'INTERRUPTION_SENSITIVE' },
    ],
    ['of high risk', { severity: 'high' }, { action: 'flush', reason: 'HIGH_RISK' }],
    [
      'an amendment',
      { delta: { ...KNOWLEDGE_DELTA, semantic_key: 'Owner' }, previousDeltas: [before] },
      { action: 'amend', reason: 'SEMANTIC_IDENTITY_CHANGED', KnowledgeId: 'k-1' },
    ],
    [
      'an update',
      { delta: { ...KNOWLEDGE_DELTA, supersedes: 'k-1' }, previousDeltas: [before] },
      { action: 'update', reason: 'SUPERSESSION_CHANGED', KnowledgeId: 'k-1' },
    ],
  ])('is %s as the contract says', async (_how, request, verdict) => {
    const answer = await hand(KNOWLEDGE_DELTA, request);
    expect(answer).toMatchObject({
      status: 200,
      body: { ...verdict, calls: [], waiting: 1, duplicate: false },
    });
    knowledgeVerdictSchema.parse(answer.body);
    expect(accepted()).toMatchObject([{ action: verdict['action'] }]);
  });

  it.each<[string, JsonObject, string]>([
    ['nothing', { delta: {} }, 'EMPTY_DELTA'],
    ['what was known by its hash', { previousHashes: [HASH] }, 'SEMANTIC_DUPLICATE'],
    [
      'what was known by its text',
      { previousDeltas: [{ ...KNOWLEDGE_DELTA, content: 'one writer per stream' }] },
      'SEMANTIC_DUPLICATE',
    ],
  ])('%s is skipped, and kept nowhere', async (_what, request, reason) => {
    const answer = await hand(KNOWLEDGE_DELTA, { ...request, explicitSave: true });
    const { deltaHash, ...verdict } = answer.body;
    expect(verdict).toEqual({ action: 'skip', reason, calls: [] });
    expect(deltaHash).toMatch(/^[0-9a-f]{64}$/);
    knowledgeVerdictSchema.parse(answer.body);
    expect(accepted()).toEqual([]);
  });

  it.each<[JsonObject, string]>([
    [{ severity: 'LOUD' }, 'INVALID_SEVERITY'],
    [{ delta: { title: 5 } }, 'INVALID_REQUEST'],
    [
      {
        delta: { ...KNOWLEDGE_DELTA, semantic_key: 'k' },
        previousDeltas: [{ title: 'x', semantic_key: 'k' }],
      },
      'VAULT_TARGET_REQUIRED',
    ],
    [
      {
        delta: { ...KNOWLEDGE_DELTA, supersedes: 'k-1' },
        previousDeltas: [before, { ...before, title: 'y' }],
      },
      'VAULT_TARGET_AMBIGUOUS',
    ],
  ])('is refused by the contract: %j', async (request, contractCode) => {
    const answer = await hand(KNOWLEDGE_DELTA, request);
    expect(answer).toMatchObject({
      status: 422,
      body: { error: 'context_refused', details: { contractCode } },
    });
    expect(gateway.registry.asked).toEqual([]);
  });

  it.each([
    { previousDeltas: 'x' },
    { previousDeltas: Array.from({ length: 257 }, () => ({})) },
    { previousHashes: [1] },
    { explicitSave: 'yes' },
    { severity: 3 },
    { delta: 'text' },
    { delta: [] },
    { fence: 0 },
    { lineageId: 'a b' },
  ])('is no request with %j', async (wrong) => {
    expect(await hand(KNOWLEDGE_DELTA, wrong as JsonObject)).toMatchObject({ status: 400 });
    expect(gateway.registry.asked).toEqual([]);
  });

  it('is not stored for a lineage of another workgroup', async () => {
    const answer = await post('/v1/workgroups/wg.2/knowledge-deltas', { ...writing, delta: KNOWLEDGE_DELTA });
    expect(answer).toMatchObject({ status: 404, body: { error: 'not_found' } });
    expect(accepted()).toEqual([]);
  });

  it('comes back where it cannot wait, with all that its writer had pending', async () => {
    const [first] = await stored(KNOWLEDGE_DELTA);
    gateway.registry.answer('acceptKnowledge', ({ lineageId, artifactId }) => ({
      calls: [{ writer: lineageId, artifactIds: [first, artifactId] }],
      waiting: 3,
      duplicate: false,
    }));
    const { body } = await hand(OTHER, { explicitSave: true });
    const artifactIds = [first, accepted().at(-1)?.['artifactId']];
    expect(body).toMatchObject({
      action: 'flush',
      calls: [{ writer: 'l.1', artifactIds, deltas: [KNOWLEDGE_DELTA, OTHER] }],
      waiting: 3,
    });
  });

  it('is said where its lease is over', async () => {
    gateway.registry.answer('acceptKnowledge', () => {
      throw new TerminalError('stale_fence', 'Not the fence.');
    });
    expect(await hand(KNOWLEDGE_DELTA)).toMatchObject({ status: 409, body: { error: 'stale_fence' } });
  });

  describe('at a gate', () => {
    it('is called once for each writer, with its text as it was handed in', async () => {
      const [one] = await stored(KNOWLEDGE_DELTA);
      const [two] = await stored(OTHER, { lineageId: 'l.2' });
      gateway.registry.answer('flushKnowledge', () => ({
        calls: [
          { writer: 'l.1', artifactIds: [one] },
          { writer: 'l.2', artifactIds: [two, one] },
        ],
        waiting: 0,
      }));
      const answer = await post(`${DELTAS}:flush`, { gate: '2A' });
      expect(answer.body).toEqual({
        calls: [
          { writer: 'l.1', artifactIds: [one], deltas: [KNOWLEDGE_DELTA] },
          { writer: 'l.2', artifactIds: [two, one], deltas: [OTHER, KNOWLEDGE_DELTA] },
        ],
        waiting: 0,
      });
      vaultCallsSchema.parse(answer.body);
    });

    it('leaves out what was erased, and keeps no text for an idempotency key', async () => {
      const [kept] = await stored(KNOWLEDGE_DELTA);
      const [erased] = await stored({ title: 'Zugvogel', content: 'To be forgotten.' });
      const calls = [{ writer: 'l.1', artifactIds: [erased, kept] }];
      gateway.registry.answer('flushKnowledge', () => ({ calls, waiting: 0 }));
      const headers = { 'idempotency-key': 'gate-1' };
      const first = await post(`${DELTAS}:flush`, { gate: '2A' }, headers);
      expect(first.text).toContain('Zugvogel');
      await gateway.ports.artifacts.erase('acme', erased);
      gateway.registry.answer('flushKnowledge', () => ({ calls: [], waiting: 0 }));
      const again = await post(`${DELTAS}:flush`, { gate: '2A' }, headers);
      expect(again.body).toEqual({ calls: [{ ...calls[0], deltas: [null, KNOWLEDGE_DELTA] }], waiting: 0 });
      expect(again.headers['openwop-idempotent-replay']).toBe('true');
      const { rows } = await database.pool.query('SELECT * FROM gateway.idempotency');
      expect(rows).toHaveLength(1);
      expect(JSON.stringify(rows)).not.toMatch(/Zugvogel|One writer/);
    });
  });
});
