import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { errorEnvelopeSchema, ERROR_STATUS } from '@palimpsest/contracts';
import { gatewayMigrations } from '../store/migrations.js';
import {
  startGateway,
  textIn,
  type Answer,
  type Ask,
  type GatewayHarness,
} from '../testing/gateway-harness.js';
import { CONTEXT_REQUESTS } from '../testing/context-requests.js';
import { WORKGROUP_REQUESTS } from '../testing/workgroup-requests.js';
import { OPERATIONS, type Operation, type OperationName } from './operations.js';

const create = { workflowId: 'palimpsest-external' };
const SAMPLES = Object.entries({ ...WORKGROUP_REQUESTS, ...CONTEXT_REQUESTS });
const user = { role: 'user', content: 'hi' };
const call = (id: unknown) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } });

/** Bodies that no endpoint takes, as text. */
const NO_BODY_AT_ALL = [
  '{',
  'nonsense',
  '[]',
  'null',
  '1',
  '"text"',
  '{"a":}',
  '\uFEFF{',
  '{"unknown":9007199254740993}',
  '{"unknown":-0}',
  '{"unknown":-0.0e7}',
  '{"unknown":1e400}',
  '{"unknown":1e-400}',
  `{"unknown":${'['.repeat(100)}${']'.repeat(100)}}`,
];

const CREATE = [
  {},
  { workflowId: 7 },
  { workflowId: '' },
  { workflowId: 'a\u0000b' },
  { workflowId: '\ud800' },
  { ...create, configurable: [] },
  { ...create, configurable: { recursionLimit: 0 } },
  { ...create, configurable: { runTimeoutMs: '1000' } },
  { ...create, configurable: { context: { transcriptTokenBudget: 0 } } },
  { ...create, configurable: { context: { transcriptTokenBudget: 1.5 } } },
  { ...create, configurable: { context: { transcriptTokenBudget: '400' } } },
  { ...create, configurable: { context: { transcriptTokenBudget: 100_001 } } },
  { ...create, configurable: { context: { keepLastTurns: -1 } } },
  { ...create, configurable: { context: { keepLastTurns: 2 ** 40 } } },
  { ...create, configurable: { context: { transcriptTokenBudget: 1 } } },
  { ...create, configurable: { context: { transcriptWindow: 1 } } },
  { ...create, configurable: { context: { tokenCounter: 'words' } } },
  { ...create, configurable: { context: { strategy: 'magic' } } },
  { ...create, configurable: { context: { surprise: true } } },
  { ...create, configurable: { context: {}, 'a\u0000': 1 } },
  { ...create, tags: 'a' },
  { ...create, tags: [''] },
  { ...create, tags: ['a\u0000'] },
  { ...create, tags: ['\udc00'] },
  { ...create, tags: Array.from({ length: 101 }, () => 'a') },
  { ...create, tags: ['a'.repeat(257)] },
  { ...create, metadata: { 'a\u0000': 1 } },
  { ...create, metadata: { a: { b: ['\ud800'] } } },
  { ...create, metadata: { a: 'x'.repeat(60_000) } },
  { ...create, inputs: { '\ud800': 1 } },
  { ...create, inputs: 'text' },
];

const TURNS = [
  {},
  { messages: [] },
  { messages: 'hi' },
  { messages: [7] },
  { messages: [{}] },
  { messages: [{ role: 'wizard', content: 'hi' }] },
  { messages: [{ role: 'user' }] },
  { messages: [{ role: 'user', content: 7 }] },
  { messages: [{ role: 'user', content: [{ type: 'text' }] }] },
  { messages: [{ ...user, surprise: 1 }] },
  { messages: [{ ...user, name: 'a\u0000' }] },
  { messages: [{ ...user, name: '\ud800' }] },
  { messages: [{ role: 'tool', content: 'x' }] },
  { messages: [{ role: 'tool', content: 'x', tool_call_id: '' }] },
  { messages: [{ role: 'tool', content: 'x', tool_call_id: 'a\u0000' }] },
  { messages: [{ role: 'assistant', tool_calls: [call('\udfff')] }] },
  { messages: [{ role: 'assistant', tool_calls: [call(7)] }] },
  {
    messages: [
      { role: 'assistant', tool_calls: [{ ...call('a'), function: { name: '', arguments: '{}' } }] },
    ],
  },
  {
    messages: [{ role: 'assistant', tool_calls: [{ ...call('a'), function: { name: 'f', arguments: {} } }] }],
  },
  { messages: Array.from({ length: 1001 }, () => user) },
  { messages: [user], expectedSequence: -2 },
  { messages: [user], expectedSequence: 0.5 },
  { messages: [user], expectedSequence: '1' },
  { messages: [user], surprise: 1 },
];

const FORK = [
  {},
  { mode: 'rewind' },
  { mode: 'branch' },
  { mode: 'replay', fromSeq: -1 },
  { mode: 'replay', fromSeq: 1.5 },
  { mode: 'replay', fromSeq: '1' },
  { mode: 'replay', runOptionsOverlay: { tags: ['a'] } },
  { mode: 'replay', surprise: 1 },
];

describe('bad input', () => {
  let database: TestDatabase;
  let gateway: GatewayHarness;
  let run: string;
  let gated: string;
  let token: string;
  let before: unknown;
  beforeAll(async () => {
    database = await createTestDatabase([gatewayMigrations]);
    gateway = await startGateway(database.pool, { maxBodyBytes: 1024 * 1024 });
    run = `/v1/runs/${await gateway.newRun()}`;
    const started = await gateway.ask({ method: 'POST', url: '/v1/runs', json: { workflowId: 'gated' } });
    gated = `/v1/runs/${textIn(started.body, 'runId')}`;
    const { body } = await gateway.ask({ method: 'GET', url: gated });
    token = (body['interrupt'] as { interruptToken: string }).interruptToken;
    before = (await gateway.ask({ method: 'GET', url: '/v1/runs' })).body;
  });
  afterAll(async () => {
    await gateway.close();
    await database.drop();
  });

  async function refused(ask: Ask, ...statuses: readonly number[]): Promise<Answer> {
    const answer = await gateway.ask(ask);
    const { error } = errorEnvelopeSchema.parse(answer.body);
    expect(statuses).toContain(answer.status);
    expect(ERROR_STATUS).toHaveProperty(error, answer.status);
    return answer;
  }

  const posts = Object.values<Operation>(OPERATIONS).filter(({ method }) => method === 'POST');
  /** Of a raw body the contract is the judge. */
  const read = posts.filter(({ rawBody }) => rawBody !== true);
  const keyed = posts.filter(({ keepsNothing }) => keepsNothing !== true);

  /** Where an operation is asked for, so that nothing but what a test makes wrong is wrong. */
  const urlOf = (path: string): string =>
    path
      .replace('/v1/runs/{runId}', path.endsWith('{nodeId}') ? gated : run)
      .replace('{nodeId}', 'step')
      .replace('{token}', token)
      .replace('{workgroupId}', 'wg-2')
      .replace('{lineageId}', 'l-1')
      .replace('{environment}', 'staging')
      .replace('{operation}', 'route');

  const goodBody = (path: string): unknown => {
    if (path === '/v1/runs') return create;
    if (path.endsWith('turns')) return { messages: [user] };
    if (path.endsWith('fork')) return { mode: 'replay' };
    if (path.endsWith('bulk-cancel')) return { runIds: ['nobody'] };
    const sample = SAMPLES.find(([name]) => OPERATIONS[name as OperationName].path === path);
    if (sample) return sample[1].json;
    return path.includes('interrupts') ? { resumeValue: { action: 'accept' } } : {};
  };

  it.each(read)('POST $path takes no body that is not JSON as it should be', async ({ path }) => {
    const url = urlOf(path);
    for (const payload of NO_BODY_AT_ALL) await refused({ method: 'POST', url, payload }, 400);
    for (const payload of [Buffer.from([0x22, 0xff, 0x22]), Buffer.from('{"a":"\xed"}', 'latin1')]) {
      await refused({ method: 'POST', url, payload }, 400);
    }
  });

  it.each(read)('POST $path takes JSON only, of the size it takes', async ({ path }) => {
    const url = urlOf(path);
    const ask = { method: 'POST' as const, url };
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      await refused({ ...ask, payload: '{}', headers: { 'content-type': type } }, 415);
    }
    await refused({ ...ask, payload: '{}', headers: { 'content-encoding': 'gzip' } }, 415);
    await refused({ ...ask, json: { text: 'x'.repeat(1024 * 1024) } }, 413);
    // Counted in bytes: half as many letters as the limit.
    await refused({ ...ask, json: { text: 'é'.repeat(600 * 1024) } }, 413);
  });

  it.each(keyed)('POST $path takes no Idempotency-Key it cannot use', async ({ path }) => {
    const json = goodBody(path);
    for (const key of ['', ' ', 'a b', 'é', 'a'.repeat(256), 'a:b', 'a, b']) {
      await refused({ method: 'POST', url: urlOf(path), json, headers: { 'idempotency-key': key } }, 400);
    }
  });

  it('names what is wrong with a run', async () => {
    for (const json of CREATE) {
      const { body } = await refused({ method: 'POST', url: '/v1/runs', json }, 400);
      expect(body['details']).toMatchObject({ field: expect.any(String) });
    }
    await refused({ method: 'POST', url: '/v1/runs', json: { workflowId: 'unknown' } }, 404);
  });

  it('names what is wrong with turns', async () => {
    for (const json of TURNS) {
      const { body } = await refused({ method: 'POST', url: `${run}/turns`, json }, 400);
      expect(body['details']).toMatchObject({
        field: expect.stringMatching(/^messages|^expectedSequence|^surprise/),
      });
    }
    const wizard = { messages: [user, { role: 'wizard', content: 'x' }] };
    const { body } = await refused({ method: 'POST', url: `${run}/turns`, json: wizard }, 400);
    expect(body).toMatchObject({
      details: { field: 'messages.1.role' },
      message: expect.stringContaining('assistant'),
    });
  });

  it('says that it takes text only', async () => {
    const image = { type: 'image_url', image_url: { url: 'data:' } };
    const json = { messages: [{ role: 'user', content: [image] }] };
    const { body } = await refused({ method: 'POST', url: `${run}/turns`, json }, 422);
    expect(body).toMatchObject({ error: 'unsupported_content', details: { type: 'image_url' } });
    const sentence = { messages: [{ role: 'user', content: [{ type: 'my password is plum' }] }] };
    const refusal = await refused({ method: 'POST', url: `${run}/turns`, json: sentence }, 422);
    expect(refusal.text).not.toContain('plum');
  });

  it('names what is wrong with a fork, a window, an end', async () => {
    for (const json of FORK) await refused({ method: 'POST', url: `${run}:fork`, json }, 400);
    for (const json of [{ expectedSequence: -2 }, { expectedSequence: 1.5 }, { surprise: 1 }]) {
      await refused({ method: 'POST', url: `${run}/windows`, json }, 400);
    }
    await refused({ method: 'POST', url: `${run}/windows?format=xml`, json: {} }, 400);
    await refused({ method: 'POST', url: `${run}/finish`, json: { surprise: 1 } }, 400);
  });

  it.each([
    '?limit=0',
    '?limit=101',
    '?limit=-1',
    '?limit=1.5',
    '?limit=ten',
    '?limit=1&limit=2',
    '?status=asleep',
    '?workflowId=a%00b',
    '?workflowId=',
    '?cursor=nonsense',
    '?cursor=%00',
    '?cursor=%ED%A0%80',
    '?workflowId=%zz',
  ])('lists nothing for %s', (query) => refused({ method: 'GET', url: `/v1/runs${query}` }, 400));

  it.each([
    '/windows/0',
    '/windows/-1',
    '/windows/1.5',
    '/windows/one',
    '/windows/9007199254740993',
    '/windows/1?format=xml',
  ])('reads no window at %s', (path) => refused({ method: 'GET', url: run + path }, 400));

  it.each(['limit=0', 'limit=501', 'limit=-1', 'limit=1.5', 'limit=', 'fromIteration=0', 'fromIteration=x'])(
    'reports no usage for %s',
    (query) => refused({ method: 'GET', url: `${run}/usage?${query}` }, 400),
  );

  it.each([
    '?streamMode=all',
    '?streamMode=',
    '?streamMode=values,debug',
    '?bufferMs=5001',
    '?bufferMs=-1',
    '?bufferMs=x',
  ])('reads no events with %s, in either form', async (query) => {
    for (const accept of ['application/json', 'text/event-stream']) {
      await refused({ method: 'GET', url: `${run}/events${query}`, headers: { accept } }, 400);
    }
  });

  it.each([
    ['/v1/runs/%00', 400],
    ['/v1/runs/a%00b/events', 400],
    ['/v1/runs/%ED%A0%80', 400],
    ['/v1/runs/%zz', 400],
    ['/v1/runs/nobody', 404],
    ['/v1/runs/no%20body', 404],
    [`/v1/runs/${'a'.repeat(2000)}`, 404],
    ['/v1/runs/../../etc', 404],
    ['/v1/runs/a%2Fb', 404],
  ])('reads no run at %s', (url, status) => refused({ method: 'GET', url }, status));

  it.each([
    ['/artifacts/%00', 400],
    ['/artifacts/nothing', 404],
    [`/artifacts/art_${'a'.repeat(22)}`, 404],
    ['/windows/7', 404],
  ])('reads nothing at %s of a run', (path, status) => refused({ method: 'GET', url: run + path }, status));

  it('takes the key __proto__ for what it is, or not at all', async () => {
    const payload =
      '{"workflowId":"palimpsest-external","metadata":{"__proto__":{"polluted":1}},"__proto__":{"polluted":1}}';
    const answer = await gateway.ask({
      method: 'POST',
      url: '/v1/runs',
      payload,
      headers: { 'idempotency-key': 'proto' },
    });
    expect([201, 400]).toContain(answer.status);
    expect({}).not.toHaveProperty('polluted');
  });

  it('has left nothing half done', async () => {
    const { body } = await gateway.ask({ method: 'GET', url: `${run}/events` });
    expect((body['events'] as unknown[]).length).toBe(1);
    expect((await gateway.ask({ method: 'GET', url: gated })).body).toMatchObject({
      status: 'waiting-approval',
    });
    const { runs } = (await gateway.ask({ method: 'GET', url: '/v1/runs?limit=100' })).body as {
      runs: unknown[];
    };
    expect(runs.length).toBeLessThanOrEqual((before as { runs: unknown[] }).runs.length + 1);
    const { rows } = await database.pool.query('SELECT state FROM gateway.idempotency');
    expect(rows.filter(({ state }: { state: string }) => state === 'pending')).toEqual([]);
  });
});
