import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { errorEnvelopeSchema } from '@palimpsest/contracts';
import { gatewayMigrations } from '../../store/migrations.js';
import {
  startGateway,
  textIn,
  type Answer,
  type Ask,
  type GatewayHarness,
} from '../../testing/gateway-harness.js';

const SAMPLE = '/v1/host/sample';
const workflow = { workflowId: 'mine', nodes: [{ nodeId: 'a', typeId: 'core.noop', config: {} }] };

const SEAMS: readonly Ask[] = [
  { method: 'POST', url: `${SAMPLE}/workflows`, json: workflow },
  { method: 'GET', url: `${SAMPLE}/test/runs/__probe__/events` },
  { method: 'POST', url: `${SAMPLE}/test/reset`, json: {} },
  { method: 'POST', url: `${SAMPLE}/test/llm-cache-key`, json: {} },
];

describe('the seams of conformance tests', () => {
  let database: TestDatabase;
  let gateway: GatewayHarness;
  let production: GatewayHarness;
  beforeAll(async () => {
    database = await createTestDatabase([gatewayMigrations]);
    gateway = await startGateway(database.pool, { testSeams: true });
    production = await startGateway(database.pool);
  });
  afterAll(async () => {
    await Promise.all([gateway.close(), production.close()]);
    await database.drop();
  });

  function refused(answer: Answer, status: number, error: string): void {
    expect([answer.status, errorEnvelopeSchema.parse(answer.body).error]).toEqual([status, error]);
  }

  it.each(SEAMS)('$method $url is not there unless it is switched on', async (ask) => {
    refused(await production.ask(ask), 404, 'not_found');
    refused(await production.ask({ ...ask, key: null }), 401, 'unauthenticated');
  });

  it.each(SEAMS)('$method $url asks for a key', async (ask) => {
    refused(await gateway.ask({ ...ask, key: null }), 401, 'unauthenticated');
    refused(await gateway.ask({ ...ask, key: 'pal_nobody' }), 401, 'unauthenticated');
  });

  it('registers a workflow that the tenant alone sees, until it resets', async () => {
    const registered = await gateway.ask({ method: 'POST', url: `${SAMPLE}/workflows`, json: workflow });
    expect(registered).toMatchObject({ status: 201, body: { workflowId: 'mine' } });
    const read = { method: 'GET' as const, url: '/v1/workflows/mine' };
    expect((await gateway.ask(read)).body).toMatchObject({
      id: 'mine',
      nodes: [{ id: 'a', typeId: 'core.noop', name: 'a', position: { x: 0, y: 0 }, config: {}, inputs: {} }],
      edges: [],
    });
    const start: Ask = { method: 'POST', url: '/v1/runs', json: { workflowId: 'mine' } };
    expect((await gateway.ask(start)).status).toBe(201);
    const key = await gateway.newKey('rival');
    refused(await gateway.ask({ ...read, key }), 404, 'not_found');
    const reset: Ask = { method: 'POST', url: `${SAMPLE}/test/reset`, json: {} };
    expect((await gateway.ask({ ...reset, key })).body).toEqual({ ok: true, workflowsRemoved: [] });
    expect((await gateway.ask(reset)).body).toEqual({ ok: true, workflowsRemoved: ['mine'] });
    refused(await gateway.ask(read), 404, 'not_found');
  });

  it.each([
    {},
    { workflowId: 'mine' },
    { workflowId: 'mine', nodes: [] },
    { workflowId: 'Not An Id', nodes: workflow.nodes },
    { workflowId: 'mine', nodes: [{ typeId: 'core.noop' }] },
    { workflowId: 'mine', nodes: [{ nodeId: 'a' }] },
    { workflowId: 'mine', nodes: [{ nodeId: 'a', typeId: 'core.noop', surprise: 1 }] },
    { ...workflow, edges: [{ sourceNodeId: 'a' }] },
  ])('registers nothing that is no workflow: %j', async (json) => {
    refused(await gateway.ask({ method: 'POST', url: `${SAMPLE}/workflows`, json }), 400, 'validation_error');
  });

  it('reads the events of a run of the tenant, filtered', async () => {
    const started = await gateway.ask({ method: 'POST', url: '/v1/runs', json: { workflowId: 'gated' } });
    const url = `${SAMPLE}/test/runs/${textIn(started.body, 'runId')}/events`;
    const typesAt = async (query: string): Promise<unknown[]> => {
      const { body } = await gateway.ask({ method: 'GET', url: url + query });
      return (body['events'] as { type: string }[]).map(({ type }) => type);
    };
    expect(await typesAt('')).toEqual(['run.started', 'interrupt.requested', 'node.suspended']);
    expect(await typesAt('?type=node.suspended')).toEqual(['node.suspended']);
    for (const query of ['?nodeId=nobody', '?causationId=none', '?correlationId=none', '?type=x']) {
      expect(await typesAt(query)).toEqual([]);
    }
    refused(await gateway.ask({ method: 'GET', url: `${url}?type=a&type=b` }), 400, 'validation_error');
    refused(await gateway.ask({ method: 'GET', url, key: await gateway.newKey('rival') }), 404, 'not_found');
    refused(
      await gateway.ask({ method: 'GET', url: `${SAMPLE}/test/runs/__probe__/events` }),
      404,
      'not_found',
    );
  });

  it('makes cache keys', async () => {
    const json = {
      provider: 'anthropic',
      model: 'm-1',
      messages: [{ role: 'user', content: 'hi' }],
      temperature: 0.5,
    };
    const ask: Ask = { method: 'POST', url: `${SAMPLE}/test/llm-cache-key` };
    expect((await gateway.ask({ ...ask, json })).body).toEqual({
      cacheKey: '771933283aeb73f6d24e0ed62288312b6251d0bbe21b790710a2abdc5b4ccac2',
    });
    for (const name of ['provider', 'model', 'messages']) {
      refused(await gateway.ask({ ...ask, json: { ...json, [name]: undefined } }), 400, 'invalid_argument');
    }
  });

  it('asks for the scope of what it does', async () => {
    const key = await gateway.newKey('acme', ['artifacts:read']);
    for (const ask of SEAMS.slice(0, 3)) refused(await gateway.ask({ ...ask, key }), 403, 'forbidden');
  });
});
