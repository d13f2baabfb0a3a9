import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import type { RacePoints } from '@palimpsest/kernel';
import { waitUntil } from '@palimpsest/kernel/testing';
import { KEY_CLAIMED, WORK_DONE } from '../handlers/idempotent-requests.js';
import { PLACE_TAKEN } from '../handlers/run-exclusivity.js';
import { gatewayMigrations } from '../store/migrations.js';
import { startGateway, textIn, type Answer, type GatewayHarness } from '../testing/gateway-harness.js';
import { CONTEXT_REQUESTS } from '../testing/context-requests.js';
import { WORKGROUP_REQUESTS } from '../testing/workgroup-requests.js';
import { OPERATIONS, type Operation, type OperationName } from './operations.js';

/** Stops whoever comes to a point first, until it is let go. */
class StopAt implements RacePoints {
  private reached: (() => void) | undefined;
  private release: (() => void) | undefined;
  private armed: string | undefined;

  async reach(name: string): Promise<void> {
    if (name !== this.armed) return;
    this.armed = undefined;
    const released = new Promise<void>((resolve) => (this.release = resolve));
    this.reached?.();
    await released;
  }

  next(name: string): Promise<void> {
    this.armed = name;
    return new Promise((resolve) => (this.reached = resolve));
  }

  letGo(): void {
    this.release?.();
  }
}

type Prepared = readonly [url: string, body: object, other: object];

/** By path, as the others. */
function ofTheRegistry(): Readonly<Record<string, () => Promise<Prepared>>> {
  const requests = Object.entries({ ...WORKGROUP_REQUESTS, ...CONTEXT_REQUESTS });
  const samples = requests.map(([name, { url, json, other }]) => [
    OPERATIONS[name as OperationName].path,
    async (): Promise<Prepared> => [url, json, other],
  ]);
  return Object.fromEntries(samples) as Record<string, () => Promise<Prepared>>;
}

describe('Idempotency-Key on every operation that changes something', () => {
  const races = new StopAt();
  let database: TestDatabase;
  let gateway: GatewayHarness;
  let second: GatewayHarness;
  beforeAll(async () => {
    database = await createTestDatabase([gatewayMigrations]);
    gateway = await startGateway(database.pool, { ports: { races }, housekeepingMs: 20 });
    const { eventLog, runLog, assembler } = gateway.ports;
    second = await startGateway(database.pool, { ports: { eventLog, runLog, assembler } });
  });
  afterAll(async () => {
    await Promise.all([gateway.close(), second.close()]);
    await database.drop();
  });

  const start = async (workflowId: string): Promise<string> =>
    textIn((await gateway.ask({ method: 'POST', url: '/v1/runs', json: { workflowId } })).body, 'runId');
  const keyed = (at: GatewayHarness, url: string, json: unknown, key: string): Promise<Answer> =>
    at.ask({
      method: 'POST',
      url,
      key: gateway.key,
      json,
      headers: { 'idempotency-key': key },
    });
  const remove = (at: GatewayHarness, url: string, key: string): Promise<Answer> =>
    at.ask({ method: 'DELETE', url, key: gateway.key, headers: { 'idempotency-key': key } });

  const accept = { resumeValue: { action: 'accept' } };
  const prepared: Readonly<Record<string, () => Promise<Prepared>>> = {
    '/v1/runs': async () => ['/v1/runs', { workflowId: 'plain' }, { workflowId: 'plain', tags: ['x'] }],
    '/v1/runs/{runId}/cancel': async () => [`/v1/runs/${await start('plain')}/cancel`, {}, { reason: 'x' }],
    '/v1/runs:bulk-cancel': async () => [
      '/v1/runs:bulk-cancel',
      { runIds: [await start('plain')] },
      { runIds: ['nobody'] },
    ],
    '/v1/runs/{runId}/interrupts/{nodeId}': async () => [
      `/v1/runs/${await start('gated')}/interrupts/step`,
      accept,
      { resumeValue: 1 },
    ],
    '/v1/interrupts/{token}': async () => {
      const { body } = await gateway.ask({ method: 'GET', url: `/v1/runs/${await start('gated')}` });
      const { callbackUrl } = body['interrupt'] as { callbackUrl: string };
      return [callbackUrl, accept, { resumeValue: 1 }];
    },
    '/v1/runs/{runId}:fork': async () => [
      `/v1/runs/${await start('palimpsest-external')}:fork`,
      { mode: 'replay' },
      { mode: 'replay', fromSeq: 0 },
    ],
    '/v1/runs/{runId}/turns': async () => [
      `/v1/runs/${await start('palimpsest-external')}/turns`,
      { messages: [{ role: 'user', content: 'hi' }] },
      { messages: [{ role: 'user', content: 'ho' }] },
    ],
    '/v1/runs/{runId}/windows': async () => [
      `/v1/runs/${await start('palimpsest-external')}/windows`,
      {},
      { expectedSequence: -1 },
    ],
    '/v1/runs/{runId}/pins': async () => [
      `/v1/runs/${await start('palimpsest-external')}/pins`,
      { text: 'a' },
      { text: 'b' },
    ],
    '/v1/runs/{runId}/finish': async () => [`/v1/runs/${await start('palimpsest-external')}/finish`, {}, {}],
    ...ofTheRegistry(),
  };

  const posts = Object.values<Operation>(OPERATIONS).filter(
    ({ method, keepsNothing }) => method === 'POST' && keepsNothing !== true,
  );

  it.each(posts)('POST $path is done once, and answered again', async ({ path, status }) => {
    const [url, body, other] = (await prepared[path]?.()) ?? ['', {}, {}];
    const key = `again:${path}`.replaceAll(/[^A-Za-z0-9._~-]/g, '-');
    const first = await keyed(gateway, url, body, key);
    if (path.endsWith(':fork')) {
      // Its stand-in answers 503, which is never given again.
      expect([first.status, (await keyed(second, url, body, key)).status]).toEqual([503, 503]);
      return;
    }
    expect(first.status).toBe(status);
    expect(first.headers).not.toHaveProperty('openwop-idempotent-replay');
    const again = await keyed(second, url, body, key);
    expect(again).toMatchObject({
      status,
      body: first.body,
      headers: { 'openwop-idempotent-replay': 'true' },
    });
    if (JSON.stringify(body) === JSON.stringify(other)) return;
    const mismatch = await keyed(gateway, url, other, key);
    expect(mismatch).toMatchObject({ status: 409, body: { error: 'idempotency_key_mismatch' } });
    expect(mismatch.text).not.toContain('runId');
  });

  it('a plan of what to load is made anew each time, and kept nowhere', async () => {
    const { url, json } = WORKGROUP_REQUESTS.planLoading;
    const phases = ['1A', '2B'] as const;
    const plans = [];
    for (const phase of phases) {
      gateway.registry.answer('planLoading', () => ({ phase, steps: [] }));
      plans.push(await keyed(gateway, url, json, 'plan-1'));
    }
    expect(plans.map(({ status, body }) => [status, body['phase']])).toEqual([
      [200, '1A'],
      [200, '2B'],
    ]);
    for (const { headers } of plans) expect(headers).not.toHaveProperty('openwop-idempotent-replay');
    const kept = 'SELECT * FROM gateway.idempotency WHERE answer::text LIKE \'%"steps"%\'';
    expect((await database.pool.query(kept)).rows).toEqual([]);
  });

  it('DELETE /v1/runs/{runId}/pins/{pinId} is done once, and answered again', async () => {
    const url = `/v1/runs/${await start('palimpsest-external')}/pins`;
    const { body } = await gateway.ask({ method: 'POST', url, json: { text: 'a' } });
    const pin = `${url}/${textIn(body, 'pinId')}`;
    const removals = await Promise.all([gateway, second].map((at) => remove(at, pin, 'unpin-1')));
    const removed = await remove(second, pin, 'unpin-1');
    expect(removed).toMatchObject({ status: 200, headers: { 'openwop-idempotent-replay': 'true' } });
    // The other came while the first was at work, or behind it.
    for (const { status } of removals) expect([200, 409]).toContain(status);
    expect(removals.some(({ status }) => status === 200)).toBe(true);
    expect(await remove(second, pin, 'unpin-2')).toMatchObject({ status: 404 });
  });

  it.each([KEY_CLAIMED, WORK_DONE])(
    'makes one run of two creates at once on two instances, at %s',
    async (point) => {
      const before = gateway.runLog.engine.started.length;
      const stopped = races.next(point);
      const body = { workflowId: 'plain' };
      const first = keyed(gateway, '/v1/runs', body, `race-${point}`);
      await stopped;
      expect(await keyed(second, '/v1/runs', body, `race-${point}`)).toMatchObject({
        status: 409,
        body: { error: 'idempotency_in_flight', details: { retryAfter: 1 } },
        headers: { 'retry-after': '1' },
      });
      races.letGo();
      const { status, body: created } = await first;
      expect(status).toBe(201);
      const later = await keyed(second, '/v1/runs', body, `race-${point}`);
      expect(later).toMatchObject({ status: 201, body: created });
      expect(gateway.runLog.engine.started).toHaveLength(before + 1);
    },
  );

  it('makes one run where an attempt is overtaken, as after a long pause', async () => {
    const stopped = races.next(KEY_CLAIMED);
    const body = { workflowId: 'plain', tags: ['overtaken'] };
    const late = keyed(gateway, '/v1/runs', body, 'overtaken');
    await stopped;
    await database.pool.query("UPDATE gateway.idempotency SET lease_until = now() WHERE state = 'pending'");
    const overtaking = await keyed(second, '/v1/runs', body, 'overtaken');
    expect(overtaking.status).toBe(201);
    races.letGo();
    expect((await late).body).toEqual(overtaking.body);
    const { body: list } = await gateway.ask({ method: 'GET', url: '/v1/runs?limit=100' });
    const overtaken = (list['runs'] as { tags?: string[] }[]).filter(({ tags }) => tags?.[0] === 'overtaken');
    expect(overtaken).toHaveLength(1);
    expect(await keyed(gateway, '/v1/runs', body, 'overtaken')).toMatchObject({ body: overtaking.body });
  });

  it('lets one of two runs stand alone while the other is in the making', async () => {
    const enforce = { 'x-dedup': 'enforce' };
    const json = { workflowId: 'plain', scopeId: 'alone' };
    const ask = (at: GatewayHarness): Promise<Answer> =>
      at.ask({ method: 'POST', url: '/v1/runs', key: gateway.key, json, headers: enforce });
    const stopped = races.next(PLACE_TAKEN);
    const first = ask(gateway);
    await stopped;
    const refused = await ask(second);
    expect(refused).toMatchObject({ status: 409, body: { error: 'run_already_active' } });
    races.letGo();
    const created = await first;
    expect(created.status).toBe(201);
    expect(refused.body).toMatchObject({ details: { activeRunId: created.body['runId'] } });
  });

  it('takes over a place whose run never came to be, once its time is over', async () => {
    const json = { workflowId: 'plain', scopeId: 'abandoned' };
    await database.pool.query(
      `INSERT INTO gateway.active_runs (tenant_id, workflow_id, scope_id, run_id, claimed_at)
       VALUES ('acme', 'plain', 'abandoned', 'run_lost', now() - interval '1 day')`,
    );
    const headers = { 'x-dedup': 'enforce' };
    expect((await gateway.ask({ method: 'POST', url: '/v1/runs', json, headers })).status).toBe(201);
  });

  it('sweeps what has expired, more than one batch of it', async () => {
    const live = await start('plain');
    await database.pool.query(
      `INSERT INTO gateway.idempotency (scope_hash, tenant_id, claim_id, request_digest, state, expires_at)
       SELECT 'old-' || n, 'acme', 'c', 'd', 'completed', now() - interval '1 second' FROM generate_series(1, 2500) n`,
    );
    const place = `INSERT INTO gateway.active_runs (tenant_id, workflow_id, scope_id, run_id, checked_at)
      VALUES ('acme', 'plain', $1, $2, now() - interval '2 days')`;
    await database.pool.query(place, ['swept', 'run_gone']);
    await database.pool.query(place, ['kept', live]);
    const count = async (query: string): Promise<number> =>
      Number((await database.pool.query<{ count: string }>(query)).rows[0]?.count);
    await waitUntil(
      async () =>
        (await count("SELECT count(*) FROM gateway.idempotency WHERE scope_hash LIKE 'old-%'")) === 0 &&
        (await count("SELECT count(*) FROM gateway.active_runs WHERE scope_id = 'swept'")) === 0,
    );
    expect(await count("SELECT count(*) FROM gateway.active_runs WHERE scope_id = 'kept'")).toBe(1);
    expect(
      await count("SELECT count(*) FROM gateway.idempotency WHERE scope_hash NOT LIKE 'old-%'"),
    ).toBeGreaterThan(0);
  });
});
