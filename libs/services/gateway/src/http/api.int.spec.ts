import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { errorEnvelopeSchema, usageSchema } from '@palimpsest/contracts';
import {
  createdRunSchema,
  eventListSchema,
  runSnapshotSchema,
  windowDocumentSchema,
} from '../openapi/response-schemas.js';
import { gatewayMigrations } from '../store/migrations.js';
import { startGateway, textIn, type GatewayHarness } from '../testing/gateway-harness.js';

const create = { workflowId: 'palimpsest-external' };
const hello = { messages: [{ role: 'user', content: 'hello' }] };

describe('the API of an own loop', () => {
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

  const post = (url: string, json: unknown, headers = {}) =>
    gateway.ask({ method: 'POST', url, json, headers });
  const get = (url: string, headers = {}) => gateway.ask({ method: 'GET', url, headers });

  it('starts a run and answers its effective settings', async () => {
    const json = {
      ...create,
      configurable: {
        context: { transcriptTokenBudget: 400, tokenCounter: 'chars', strategy: 'none' },
        note: 'kept',
      },
      tags: ['a'],
      metadata: { issue: 7 },
    };
    const created = await post('/v1/runs', json);
    expect(created.status).toBe(201);
    expect(created.headers['x-request-id']).toMatch(/^req_/);
    expect(createdRunSchema.parse(created.body)).toMatchObject({
      status: 'running',
      context: { transcriptTokenBudget: 400, tokenCounter: 'chars', strategy: 'none', keepLastTurns: 2 },
    });
    const runId = textIn(created.body, 'runId');
    expect(created.body).toMatchObject({
      statusUrl: `/v1/runs/${runId}`,
      eventsUrl: `/v1/runs/${runId}/events`,
    });
    const read = await get(`/v1/runs/${runId}`);
    expect(read.status).toBe(200);
    expect(runSnapshotSchema.parse(read.body)).toMatchObject({
      runId,
      workflowId: 'palimpsest-external',
      owner: { tenant: 'acme' },
      configurable: { note: 'kept', context: { transcriptTokenBudget: 400 } },
      tags: ['a'],
      metadata: { issue: 7 },
      lastMessageSequence: -1,
      messageCount: 0,
    });
  });

  it('appends turns, plans a window, and reads it in both shapes', async () => {
    const runId = await gateway.newRun();
    const messages = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is ' },
          { type: 'text', text: '2 + 2?' },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a":2,"b":2}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: '4' },
    ];
    const appended = await post(`/v1/runs/${runId}/turns`, { messages, expectedSequence: -1 });
    expect(appended.status).toBe(201);
    expect(appended.body).toEqual({
      firstSequence: 1,
      lastSequence: 3,
      lastMessageSequence: 3,
      eventIds: [1, 2, 3].map((sequence) => `evt-${runId}-${sequence}`),
    });
    const planned = await post(`/v1/runs/${runId}/windows`, {});
    expect(planned.status).toBe(200);
    const window = windowDocumentSchema.parse(planned.body);
    expect(window.entries[0]).toMatchObject({ rendered: 'user: What is 2 + 2?\n', kind: 'turn' });
    expect(window.eventIds).toEqual(window.entries.map(({ eventId }) => eventId));
    expect(window.messages[0]).toEqual({ role: 'user', content: 'What is 2 + 2?' });
    expect(window.messages).toHaveLength(3);
    const again = await gateway.ask({ method: 'POST', url: `/v1/runs/${runId}/windows` });
    expect(again.body).toEqual(planned.body);
    const read = await get(`/v1/runs/${runId}/windows/1?format=anthropic`);
    expect(windowDocumentSchema.parse(read.body)).toMatchObject({
      format: 'anthropic',
      system: [],
      fates: [],
      messages: [
        { role: 'user' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'add', input: { a: 2, b: 2 } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: '4' }] },
      ],
    });
  });

  it('repairs NUL and lone surrogates in text once, and flags it', async () => {
    const runId = await gateway.newRun();
    await post(`/v1/runs/${runId}/turns`, { messages: [{ role: 'user', content: 'a\u0000b\ud800c' }] });
    const { body } = await get(`/v1/runs/${runId}/events`);
    const event = eventListSchema.parse(body).events[1];
    expect(event?.payload).toMatchObject({ repaired: true });
    expect(event).not.toHaveProperty('counts');
    const artifact = await get(`/v1/runs/${runId}/artifacts/${String(event?.payload['artifactId'])}`);
    expect(artifact.body).toMatchObject({ artifactType: 'message', content: { text: 'a\uFFFDb\uFFFDc' } });
  });

  it('takes large turns, and no other large bodies', async () => {
    const runId = await gateway.newRun();
    const content = 'word '.repeat(300_000);
    const turn = { messages: [{ role: 'user', content }] };
    expect(await post(`/v1/runs/${runId}/turns`, turn)).toMatchObject({ status: 201 });
    const window = await post(`/v1/runs/${runId}/windows`, {});
    expect(window.body['messages']).toEqual([{ role: 'user', content }]);
    const refused = await post('/v1/runs', { ...create, inputs: { content } });
    expect(refused).toMatchObject({
      status: 413,
      body: { error: 'payload_too_large', details: { limitBytes: 262_144 } },
    });
  });

  it('finishes, refuses more turns, and stays readable', async () => {
    const runId = await gateway.newRun();
    const finished = await gateway.ask({ method: 'POST', url: `/v1/runs/${runId}/finish` });
    expect(finished).toMatchObject({
      status: 200,
      body: { status: 'completed', completedAt: expect.any(String) },
    });
    const refused = await post(`/v1/runs/${runId}/turns`, hello);
    expect(refused).toMatchObject({ status: 409, body: { error: 'run_not_active' } });
    const reports = await Promise.all([
      get(`/v1/runs/${runId}/usage`),
      get(`/v1/runs/${runId}/verification`),
    ]);
    expect(reports.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('reports usage page by page', async () => {
    const runId = await gateway.newRun();
    for (let turn = 0; turn < 3; turn += 1) {
      await post(`/v1/runs/${runId}/turns`, hello);
      await post(`/v1/runs/${runId}/windows`, {});
    }
    const page = async (query: string) =>
      usageSchema.parse((await get(`/v1/runs/${runId}/usage${query}`)).body);
    const whole = await page('');
    expect(whole.iterations.map(({ iteration, messages }) => [iteration, messages])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
    expect(whole).not.toHaveProperty('nextIteration');
    const first = await page('?limit=2');
    expect(first).toMatchObject({ iterations: whole.iterations.slice(0, 2), nextIteration: 3 });
    expect(await page('?fromIteration=3&limit=2')).toEqual({
      ...whole,
      iterations: whole.iterations.slice(2),
    });
    expect((await page('?fromIteration=4')).iterations).toEqual([]);
  });

  it('lists runs newest first, page by page', async () => {
    const key = await gateway.newKey('lister');
    const ids: unknown[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { body } = await gateway.ask({ method: 'POST', url: '/v1/runs', json: create, key });
      ids.push(body['runId']);
    }
    const seen: unknown[] = [];
    let cursor = '';
    do {
      const { body } = await gateway.ask({ method: 'GET', url: `/v1/runs?limit=2${cursor}`, key });
      seen.push(...(body['runs'] as { runId: string }[]).map(({ runId }) => runId));
      const next = textIn(body, 'nextCursor');
      cursor = next && `&cursor=${encodeURIComponent(next)}`;
    } while (cursor);
    expect(new Set(seen)).toEqual(new Set(ids));
    expect(seen).toHaveLength(3);
    const none = await gateway.ask({ method: 'GET', url: '/v1/runs?status=failed', key });
    expect(none.body).toEqual({ runs: [] });
  });

  it('answers settings it cannot keep with the least budget that would do', async () => {
    const context = { transcriptTokenBudget: 400, keepLastTurns: 50 };
    const { status, body } = await post('/v1/runs', { ...create, configurable: { context } });
    expect(status).toBe(400);
    expect(errorEnvelopeSchema.parse(body)).toMatchObject({
      error: 'context_budget_infeasible',
      details: { minimumBudget: expect.any(Number) },
    });
  });

  it('serves its description and its docs without a key and without another host', async () => {
    const description = await gateway.ask({ method: 'GET', url: '/v1/openapi.json', key: null });
    expect(description).toMatchObject({ status: 200, body: { openapi: '3.1.0' } });
    const docs = await gateway.ask({ method: 'GET', url: '/docs', key: null });
    expect(docs.status).toBe(200);
    expect(docs.text).toContain('Palimpsest API');
    expect(docs.text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    const script = await gateway.ask({ method: 'GET', url: '/docs/swagger-ui-bundle.js', key: null });
    expect(script.status).toBe(200);
    for (const url of ['/healthz', '/readyz']) {
      expect(await gateway.ask({ method: 'GET', url, key: null })).toMatchObject({ status: 200 });
    }
  });
});
