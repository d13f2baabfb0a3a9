import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { errorEnvelopeSchema, type JsonObject } from '@palimpsest/contracts';
import { waitUntil } from '@palimpsest/kernel/testing';
import { keyFrom, keyIdOf } from '../domain/api-key.js';
import { revokeApiKey } from '../handlers/api-keys.js';
import { gatewayMigrations } from '../store/migrations.js';
import {
  startGateway,
  type Answer,
  type Ask,
  type GatewayHarness,
  type HarnessOptions,
} from '../testing/gateway-harness.js';

const OFF = { keyPerSecond: 0, tenantPerSecond: 0, globalPerSecond: 0, anonymousPerSecond: 0 };
/** Far more than any limit here lets through in the time that a test may take. */
const MANY = 120;

describe('rate limits', () => {
  let database: TestDatabase;
  const open: GatewayHarness[] = [];
  beforeAll(async () => {
    database = await createTestDatabase([gatewayMigrations]);
  });
  afterEach(async () => {
    for (const gateway of open.splice(0)) await gateway.close();
  });
  afterAll(() => database.drop());

  async function limitedTo(limits: Partial<typeof OFF>, more: HarnessOptions = {}): Promise<GatewayHarness> {
    const gateway = await startGateway(database.pool, { ...more, rateLimits: { ...OFF, ...limits } });
    open.push(gateway);
    return gateway;
  }

  const burst = (gateway: GatewayHarness, ask: Ask): Promise<Answer[]> =>
    Promise.all(Array.from({ length: MANY }, () => gateway.ask(ask)));

  function refusalsIn(answers: readonly Answer[], scope: string, limit: number): Answer[] {
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const { body, headers } of refused) {
      expect(errorEnvelopeSchema.parse(body).error).toBe('rate_limited');
      const details = body['details'] as JsonObject;
      expect(details).toEqual({ scope, limit, retryAfterMs: expect.any(Number) });
      expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
      const apart = Number(headers['retry-after']) * 1000 - Number(details['retryAfterMs']);
      expect(Math.abs(apart)).toBeLessThanOrEqual(1500);
      expect(headers['x-request-id']).toEqual(expect.any(String));
    }
    return refused;
  }

  it('are each key’s own', async () => {
    const gateway = await limitedTo({ keyPerSecond: 3 });
    const answers = await burst(gateway, { method: 'GET', url: '/v1/runs' });
    refusalsIn(answers, 'key', 3);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(6);
    const other = await gateway.newKey('acme');
    expect(await gateway.ask({ method: 'GET', url: '/v1/runs', key: other })).toMatchObject({ status: 200 });
  });

  it('are shared by the keys of a tenant', async () => {
    const gateway = await limitedTo({ tenantPerSecond: 2 });
    refusalsIn(await burst(gateway, { method: 'GET', url: '/v1/runs' }), 'tenant', 2);
    const rival = await gateway.newKey('rival');
    expect(await gateway.ask({ method: 'GET', url: '/v1/runs', key: rival })).toMatchObject({ status: 200 });
  });

  it('hold for the whole instance', async () => {
    const gateway = await limitedTo({ globalPerSecond: 2 });
    refusalsIn(await burst(gateway, { method: 'GET', url: '/v1/runs' }), 'global', 2);
  });

  it('come before the scope check', async () => {
    const gateway = await limitedTo({ keyPerSecond: 1 });
    const key = await gateway.newKey('acme', ['manifest:read']);
    const answers = await burst(gateway, { method: 'GET', url: '/v1/runs', key });
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403, 429]));
    refusalsIn(answers, 'key', 1);
  });

  it('hold for discovery, for each address, and never for probes', async () => {
    const gateway = await limitedTo({ anonymousPerSecond: 2 });
    refusalsIn(await burst(gateway, { method: 'GET', url: '/.well-known/openwop', key: null }), 'route', 2);
    const probes = await burst(gateway, { method: 'GET', url: '/healthz', key: null });
    expect(probes.every(({ status }) => status === 200)).toBe(true);
    const known = await gateway.ask({ method: 'GET', url: '/v1/runs' });
    expect(known.status).toBe(200);
  });

  it.each([
    ['a missing key', null],
    ['a malformed key', 'secret'],
    ['an unknown key', keyFrom(new Uint8Array(44))],
  ])('bound guesses: %s', async (_, key) => {
    const gateway = await limitedTo({ anonymousPerSecond: 2 });
    const known = await gateway.ask({ method: 'GET', url: '/v1/runs' });
    expect(known.status).toBe(200);
    const answers = await burst(gateway, { method: 'GET', url: '/v1/runs', key });
    refusalsIn(answers, 'route', 2);
    expect(answers.every(({ status }) => status === 401 || status === 429)).toBe(true);
  });

  it('look at no further key of an address that guesses, but at those that were good', async () => {
    const gateway = await limitedTo({ anonymousPerSecond: 1 });
    const fresh = await gateway.newKey('acme');
    const list = { method: 'GET', url: '/v1/runs' } as const;
    expect((await gateway.ask(list)).status).toBe(200);
    const guessing = async (): Promise<boolean> => {
      await burst(gateway, { ...list, key: 'guess' });
      return (await gateway.ask({ ...list, key: fresh })).status === 429;
    };
    await waitUntil(guessing, { what: 'an address that is shut' });
    expect((await gateway.ask(list)).status).toBe(200);
    await revokeApiKey(gateway.ports.database, { keyId: keyIdOf(gateway.key) ?? '' });
    expect([401, 429]).toContain((await gateway.ask(list)).status);
  });

  it('are not written to the idempotency records', async () => {
    const gateway = await limitedTo({ keyPerSecond: 2 });
    const ask: Ask = {
      method: 'POST',
      url: '/v1/runs',
      json: { workflowId: 'palimpsest-external' },
      headers: { 'idempotency-key': 'limited' },
    };
    const answers = await burst(gateway, ask);
    refusalsIn(answers, 'key', 2);
    const created = await waitUntil(
      async () => {
        const answer = await gateway.ask(ask);
        return answer.status === 201 ? answer : undefined;
      },
      { what: 'the limit to have passed' },
    );
    const ids = [...answers.filter(({ status }) => status === 201), created].map(({ body }) => body['runId']);
    expect(new Set(ids).size).toBe(1);
  });

  it('leave dozens of requests at once alone, by default', async () => {
    const gateway = await startGateway(database.pool, {
      rateLimits: {
        keyPerSecond: 600,
        tenantPerSecond: 1200,
        globalPerSecond: 5000,
        anonymousPerSecond: 200,
      },
    });
    open.push(gateway);
    const [known, anonymous] = await Promise.all([
      burst(gateway, { method: 'GET', url: '/v1/runs' }),
      burst(gateway, { method: 'GET', url: '/.well-known/openwop', key: null }),
    ]);
    expect([...known, ...anonymous].every(({ status }) => status === 200)).toBe(true);
  });

  it('hold for event streams, of which so many are open at a time', async () => {
    const gateway = await limitedTo({}, { maxEventStreams: 2, pollMs: 20 });
    const runId = await gateway.newRun();
    await gateway.app.listen(0, '127.0.0.1');
    const url = `${await gateway.app.getUrl()}/v1/runs/${runId}/events`;
    const headers = { authorization: `Bearer ${gateway.key}`, accept: 'text/event-stream' };
    const leave = [new AbortController(), new AbortController()];
    for (const { signal } of leave) expect((await fetch(url, { headers, signal })).status).toBe(200);
    const beyond = await fetch(url, { headers });
    expect([beyond.status, beyond.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await beyond.json()).toMatchObject({
      error: 'rate_limited',
      details: { scope: 'global', limit: 2, retryAfterMs: 1000 },
    });
    const list = await fetch(url, { headers: { ...headers, accept: 'application/json' } });
    expect([list.status, typeof (await list.json())]).toEqual([200, 'object']);
    leave[0]?.abort();
    const again = new AbortController();
    await waitUntil(async () => (await fetch(url, { headers, signal: again.signal })).status === 200, {
      what: 'a place to be free again',
    });
    leave[1]?.abort();
    again.abort();
  });

  it('take no address from a header that anybody may write', async () => {
    const gateway = await limitedTo({ anonymousPerSecond: 1 });
    const from = (address: string): Ask => ({
      method: 'GET',
      url: '/.well-known/openwop',
      key: null,
      headers: { 'x-forwarded-for': address },
    });
    const answers = await Promise.all(
      Array.from({ length: MANY }, (_, index) => gateway.ask(from(`192.0.2.${index}`))),
    );
    refusalsIn(answers, 'route', 1);
  });

  it('count clients behind a trusted proxy each by its own address', async () => {
    const gateway = await limitedTo({ anonymousPerSecond: 1 }, { app: { trustedProxies: ['127.0.0.0/8'] } });
    const from = (address: string): Ask => ({
      method: 'GET',
      url: '/.well-known/openwop',
      key: null,
      headers: { 'x-forwarded-for': address },
    });
    const answers = await Promise.all(
      Array.from({ length: MANY }, (_, index) => gateway.ask(from(`192.0.2.${index}`))),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    // What a client writes itself stands before the address that the proxy saw.
    const spoofed = Array.from({ length: MANY }, (_, index) =>
      gateway.ask(from(`198.51.100.${index}, 203.0.113.9`)),
    );
    refusalsIn(await Promise.all(spoofed), 'route', 1);
  });
});
