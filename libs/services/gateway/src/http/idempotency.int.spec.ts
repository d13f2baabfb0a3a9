import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { ServiceUnavailableError } from '@palimpsest/kernel';
import { claimIdempotencyKey, type ClaimRequest } from '../store/claim-idempotency-key.js';
import { gatewayMigrations } from '../store/migrations.js';
import { purgeIdempotencyKeys } from '../store/purge-idempotency-keys.js';
import { settleIdempotencyKey } from '../store/settle-idempotency-key.js';
import { startGateway, textIn, type GatewayHarness } from '../testing/gateway-harness.js';

const create = { workflowId: 'palimpsest-external', metadata: { a: 1, b: 2 } };
const sameInAnotherOrder = { metadata: { b: 2, a: 1 }, workflowId: 'palimpsest-external' };

describe('Idempotency-Key', () => {
  let tenants = 0;
  let database: TestDatabase;
  let gateway: GatewayHarness;
  beforeAll(async () => {
    database = await createTestDatabase([gatewayMigrations]);
    gateway = await startGateway(database.pool);
  });
  afterAll(async () => {
    await gateway.close();
    await database.drop();
  });

  let acme: string;
  beforeEach(async () => {
    await database.pool.query('DELETE FROM gateway.idempotency');
    acme = await gateway.newKey(`acme-${(tenants += 1)}`);
    gateway.runLog.created = 0;
  });

  const post = (url: string, key: string, json?: unknown) =>
    gateway.ask({
      method: 'POST',
      url,
      key: acme,
      headers: { 'idempotency-key': key },
      ...(json !== undefined && { json }),
    });
  const newRun = async () => {
    const { body } = await gateway.ask({ method: 'POST', url: '/v1/runs', key: acme, json: create });
    return textIn(body, 'runId');
  };

  it('gives the same request the same answer, and says so', async () => {
    const first = await post('/v1/runs', 'k1', create);
    const second = await post('/v1/runs', 'k1', sameInAnotherOrder);
    expect(second).toMatchObject({
      status: 201,
      body: first.body,
      headers: { 'openwop-idempotent-replay': 'true' },
    });
    expect(first.headers).not.toHaveProperty('openwop-idempotent-replay');
    expect(gateway.runLog.created).toBe(1);
  });

  it('refuses another body, and names no run', async () => {
    await post('/v1/runs', 'k1', create);
    const other = await post('/v1/runs', 'k1', { ...create, tags: ['x'] });
    expect(other).toMatchObject({ status: 409, body: { error: 'idempotency_key_mismatch' } });
    expect(other.text).not.toContain('runId');
  });

  it('belongs to a tenant, an endpoint and a run', async () => {
    const first = await post('/v1/runs', 'k1', create);
    const key = await gateway.newKey('rival');
    const headers = { 'idempotency-key': 'k1' };
    const rival = await gateway.ask({ method: 'POST', url: '/v1/runs', json: create, key, headers });
    expect(rival.status).toBe(201);
    expect(rival.body['runId']).not.toBe(first.body['runId']);
    const runs = [await newRun(), await newRun()];
    const turns = { messages: [{ role: 'user', content: 'hi' }] };
    for (const run of runs)
      expect(await post(`/v1/runs/${run}/turns`, 'k1', turns)).toMatchObject({ status: 201 });
  });

  it('makes one run of many identical requests at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('/v1/runs', 'race', create)));
    const created = answers.filter(({ status }) => status === 201);
    expect(new Set(created.map(({ body }) => body['runId'])).size).toBe(1);
    expect(gateway.runLog.created).toBe(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(answer).toMatchObject({
        status: 409,
        body: { error: 'idempotency_in_flight', details: { retryAfter: 1 } },
        headers: { 'retry-after': '1' },
      });
    }
    const later = await post('/v1/runs', 'race', create);
    expect(later.body).toEqual(created[0]?.body);
  });

  it('appends once', async () => {
    const run = await newRun();
    const turns = { messages: [{ role: 'user', content: 'hi' }], expectedSequence: -1 };
    const first = await post(`/v1/runs/${run}/turns`, 'k1', turns);
    const second = await post(`/v1/runs/${run}/turns`, 'k1', turns);
    expect(second.body).toEqual(first.body);
    const { body } = await gateway.ask({ key: acme, method: 'GET', url: `/v1/runs/${run}/events` });
    expect(body['events']).toHaveLength(2);
  });

  it('keeps a refusal that will not change, and none of the request’s own making', async () => {
    const run = await newRun();
    const stale = { messages: [{ role: 'user', content: 'hi' }], expectedSequence: 7 };
    const first = await post(`/v1/runs/${run}/turns`, 'k1', stale);
    expect(first).toMatchObject({ status: 409, body: { error: 'sequence_conflict' } });
    const second = await post(`/v1/runs/${run}/turns`, 'k1', stale);
    expect(second).toMatchObject({
      status: 409,
      body: first.body,
      headers: { 'openwop-idempotent-replay': 'true' },
    });
    const infeasible = { ...create, configurable: { context: { transcriptTokenBudget: 1 } } };
    expect(await post('/v1/runs', 'k2', infeasible)).toMatchObject({ status: 400 });
    expect(await post('/v1/runs', 'k2', create)).toMatchObject({ status: 201 });
  });

  it('finds again what was done when the answer got lost', async () => {
    const { runLog } = gateway;
    const createRun = runLog.createRun.bind(runLog);
    runLog.createRun = async (command) => {
      await createRun(command);
      throw new ServiceUnavailableError('The run log');
    };
    const lost = await post('/v1/runs', 'k1', create);
    expect(lost).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    runLog.createRun = createRun;
    const retried = await post('/v1/runs', 'k1', create);
    expect(retried).toMatchObject({ status: 201 });
    expect(retried.headers).not.toHaveProperty('openwop-idempotent-replay');
    const { body } = await gateway.ask({ key: acme, method: 'GET', url: '/v1/runs' });
    expect(body['runs']).toMatchObject([{ runId: retried.body['runId'] }]);
  });

  it('answers a window again from what is recorded, and keeps none of its text', async () => {
    const run = await newRun();
    const secret = 'the quick brown fox';
    await post(`/v1/runs/${run}/turns`, 'a-telling-key', { messages: [{ role: 'user', content: secret }] });
    const first = await post(`/v1/runs/${run}/windows`, 'another-telling-key');
    expect(first.text).toContain(secret);
    const second = await post(`/v1/runs/${run}/windows`, 'another-telling-key');
    expect(second).toMatchObject({ text: first.text, headers: { 'openwop-idempotent-replay': 'true' } });
    const { rows } = await database.pool.query('SELECT * FROM gateway.idempotency');
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toMatch(/fox|telling/);
  });

  describe('a claim', () => {
    const claim = (request: Partial<ClaimRequest>) =>
      claimIdempotencyKey(gateway.ports.database, {
        scopeHash: 'scope',
        tenantId: 'acme',
        digest: 'digest',
        claimId: 'claim-1',
        owner: 'owner-1',
        leaseMs: 60_000,
        ttlMs: 60_000,
        ...request,
      });

    it('is one attempt’s while its lease runs', async () => {
      expect(await claim({})).toEqual({ kind: 'owned', claimId: 'claim-1' });
      expect(await claim({ owner: 'owner-2' })).toEqual({ kind: 'in-flight' });
      expect(await claim({ owner: 'owner-2', digest: 'other' })).toEqual({ kind: 'mismatch' });
    });

    it('passes on under its name when the lease has run out, and the late attempt settles nothing', async () => {
      await claim({ leaseMs: -1 });
      const taken = await claim({ owner: 'owner-2', claimId: 'claim-2' });
      expect(taken).toEqual({ kind: 'owned', claimId: 'claim-1' });
      const { database: db } = gateway.ports;
      await settleIdempotencyKey(
        db,
        { scopeHash: 'scope', owner: 'owner-1' },
        { state: 'completed', status: 200 },
      );
      expect(await claim({ owner: 'owner-3' })).toEqual({ kind: 'in-flight' });
      const answer = { ok: { runId: 'run_1' } };
      await settleIdempotencyKey(
        db,
        { scopeHash: 'scope', owner: 'owner-2' },
        { state: 'completed', status: 201, answer },
      );
      expect(await claim({ owner: 'owner-3' })).toEqual({ kind: 'recorded', status: 201, answer });
    });

    it('is taken over by one of many', async () => {
      await claim({ leaseMs: -1 });
      const owners = Array.from({ length: 12 }, (_, index) => claim({ owner: `racer-${index}` }));
      const outcomes = await Promise.all(owners);
      expect(outcomes.filter(({ kind }) => kind === 'owned')).toHaveLength(1);
    });

    it('begins anew when its time is over', async () => {
      await claim({ ttlMs: -1 });
      expect(await claim({ claimId: 'claim-2', digest: 'other', owner: 'owner-2' })).toEqual({
        kind: 'owned',
        claimId: 'claim-2',
      });
      await claim({ scopeHash: 'old', ttlMs: -1 });
      expect(await purgeIdempotencyKeys(gateway.ports.database)).toBe(1);
    });
  });
});
