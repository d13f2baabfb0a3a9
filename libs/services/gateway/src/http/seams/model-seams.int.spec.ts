import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { errorEnvelopeSchema } from '@palimpsest/contracts';
import { gatewayMigrations } from '../../store/migrations.js';
import { startGateway, type Answer, type Ask, type GatewayHarness } from '../../testing/gateway-harness.js';
import { StandInWorkflows } from '../../testing/stand-in-workflows.js';

const PROGRAM: Ask = {
  method: 'POST',
  url: '/v1/host/sample/test/mock-ai/program',
  json: { nodeId: 'structured-call', program: [{ content: '{"valid":true}', stopReason: 'end_turn' }] },
};
const EFFECTS: Ask = { method: 'GET', url: '/v1/host/sample/test/side-effects?nodeId=effect' };
const usage = { provider: 'acme', model: 'm-1', inputTokens: 3, outputTokens: 5 };
const USAGE: Ask = { method: 'POST', url: '/v1/host/sample/test/emit-provider-usage', json: usage };
const KEY = `sk-ant-api03-${'Q'.repeat(40)}`;

describe('the seams of what a run reaches outside', () => {
  const workflows = new StandInWorkflows();
  let database: TestDatabase;
  let gateway: GatewayHarness;
  let production: GatewayHarness;
  beforeAll(async () => {
    database = await createTestDatabase([gatewayMigrations]);
    gateway = await startGateway(database.pool, { testSeams: true, ports: { workflows } });
    production = await startGateway(database.pool);
  });
  afterAll(async () => {
    await Promise.all([gateway.close(), production.close()]);
    await database.drop();
  });

  function refused(answer: Answer, status: number, error: string): void {
    expect([answer.status, errorEnvelopeSchema.parse(answer.body).error]).toEqual([status, error]);
  }

  it.each([PROGRAM, USAGE])(
    '$url is for callers with a key and its scope, where it is switched on',
    async (ask) => {
      refused(await production.ask(ask), 404, 'not_found');
      refused(await gateway.ask({ ...ask, key: null }), 401, 'unauthenticated');
      refused(
        await gateway.ask({ ...ask, key: await gateway.newKey('acme', ['runs:read']) }),
        403,
        'forbidden',
      );
    },
  );

  it('counts effects of the tenant’s own nodes', async () => {
    refused(await production.ask(EFFECTS), 404, 'not_found');
    refused(await gateway.ask({ ...EFFECTS, key: null }), 401, 'unauthenticated');
    refused(
      await gateway.ask({ ...EFFECTS, key: await gateway.newKey('acme', ['runs:create']) }),
      403,
      'forbidden',
    );
    workflows.sideEffects.set('acme/effect', 3);
    expect(await gateway.ask(EFFECTS)).toMatchObject({ status: 200, body: { nodeId: 'effect', count: 3 } });
    expect((await gateway.ask({ ...EFFECTS, key: await gateway.newKey('rival') })).body).toEqual({
      nodeId: 'effect',
      count: 0,
    });
    expect(await gateway.ask({ ...EFFECTS, url: `${EFFECTS.url}&surprise=1` })).toMatchObject({
      status: 200,
    });
    for (const wrong of ['%00', '&nodeId=other', '%20'])
      refused(await gateway.ask({ ...EFFECTS, url: `${EFFECTS.url}${wrong}` }), 400, 'validation_error');
  });

  it('programs the mock of the tenant’s own nodes', async () => {
    expect(await gateway.ask(PROGRAM)).toMatchObject({ status: 200, body: { ok: true, count: 1 } });
    expect(workflows.programmed.at(-1)).toEqual({ tenantId: 'acme', ...(PROGRAM.json as object) });
    const empty = { ...PROGRAM, json: { nodeId: 'structured-call', program: [] } };
    expect((await gateway.ask(empty)).body).toEqual({ ok: true, count: 0 });
  });

  it.each([
    {},
    { nodeId: 'n' },
    { nodeId: '', program: [] },
    { nodeId: 'n', program: [{}] },
    { nodeId: 'n', program: [{ content: 1, stopReason: 'end_turn' }] },
    { nodeId: 'n', program: [{ content: '', stopReason: '' }] },
    { nodeId: 'n', program: [], tenantId: 'rival' },
    { nodeId: 'n', program: Array.from({ length: 257 }, () => ({ content: '', stopReason: 'end_turn' })) },
  ])('programs nothing of %j', async (json) => {
    refused(await gateway.ask({ ...PROGRAM, json }), 400, 'validation_error');
  });

  it('takes usage in its closed form', async () => {
    const json = { ...usage, totalTokens: 8, cacheReadTokens: 1, currency: 'EUR', traceId: 'a'.repeat(32) };
    expect(await gateway.ask({ ...USAGE, json })).toMatchObject({
      status: 200,
      body: { ok: true, payload: json },
    });
    for (const wrong of [
      {},
      { ...usage, model: '' },
      { ...usage, inputTokens: -1 },
      { ...usage, note: 'x' },
      [],
    ]) {
      refused(await gateway.ask({ ...USAGE, json: wrong }), 400, 'validation_error');
    }
  });

  it.each([
    { ...usage, model: KEY },
    { ...usage, traceId: `Bearer ${KEY}` },
    { ...usage, provider: btoa(`key=${KEY}`) },
    { ...usage, apiKey: 'hunter2-hunter2' },
    { ...usage, more: [{ deep: KEY }] },
    { ...usage, [KEY]: 1 },
    KEY,
  ])('refuses usage that holds a credential, and does not repeat it: %#', async (json) => {
    const answer = await gateway.ask({ ...USAGE, json });
    refused(answer, 400, 'provider_usage_credential_leak');
    expect(answer.text).not.toContain('Q'.repeat(10));
    expect(answer.text).not.toContain('hunter2');
  });
});
