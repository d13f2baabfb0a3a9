import { ApiError, InvalidTargetError } from './client-errors.js';
import { PalimpsestClient } from './palimpsest-client.js';
import {
  brokenOff,
  json,
  LocalServer,
  noAnswer,
  page,
  refusal,
  stopServers,
  type Answer,
} from './testing/local-server.js';
import { hostPlatform, type Platform } from './transport/platform.js';

const KEY = 'pal_secret-of-a-caller';
const NOW = Date.parse('2026-03-01T12:00:00Z');
const run = json(200, { runId: 'run_1', status: 'running' });

type Setup = { client: PalimpsestClient; server: LocalServer; sleeps: number[] };

async function setup(answers: readonly Answer[], platform: Partial<Platform> = {}): Promise<Setup> {
  const server = await LocalServer.start(...answers);
  const sleeps: number[] = [];
  const client = new PalimpsestClient(
    { url: server.url, key: KEY },
    {
      sleep: async (milliseconds, signal) => {
        sleeps.push(milliseconds);
        signal?.throwIfAborted();
      },
      now: () => NOW,
      random: () => 0,
      ...platform,
    },
  );
  return { client, server, sleeps };
}

const read = ({ client }: Setup, signal?: AbortSignal): Promise<unknown> =>
  client.get('/v1/runs/{runId}', { params: { path: { runId: 'run_1' } }, ...(signal && { signal }) });
const create = ({ client }: Setup): Promise<unknown> =>
  client.post('/v1/runs', { body: { workflowId: 'palimpsest-external' } });
const keysOf = ({ server }: Setup): unknown[] =>
  server.received.map(({ headers }) => headers['idempotency-key']);

afterEach(stopServers);

describe('a call', () => {
  it('sends key, path, query and body, and answers the document', async () => {
    const scene = await setup([json(201, { runId: 'run_1' }), json(200, { runs: [] })]);
    await expect(create(scene)).resolves.toEqual({ runId: 'run_1' });
    await scene.client.get('/v1/runs', { params: { query: { limit: '3', status: 'completed' } } });
    expect(scene.server.received).toMatchObject([
      {
        method: 'POST',
        path: '/v1/runs',
        body: '{"workflowId":"palimpsest-external"}',
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      },
      { method: 'GET', path: '/v1/runs?limit=3&status=completed' },
    ]);
    expect(keysOf(scene)).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), undefined]);
  });

  it('escapes what stands in a path, and keeps a verb behind it', async () => {
    const scene = await setup([json(201, { runId: 'run_2' })]);
    const params = { path: { runId: 'a/b?c' } };
    await scene.client.post('/v1/runs/{runId}:fork', { params, body: { mode: 'replay' } });
    expect(scene.server.received[0]?.path).toBe('/v1/runs/a%2Fb%3Fc:fork');
  });

  it('goes to a server below a path', async () => {
    const server = await LocalServer.start(run);
    const client = new PalimpsestClient({ url: `${server.url}/palimpsest//` });
    await client.get('/v1/runs/{runId}', { params: { path: { runId: 'run_1' } } });
    expect(server.received[0]?.path).toBe('/palimpsest/v1/runs/run_1');
    expect(server.received[0]?.headers.authorization).toBeUndefined();
  });
});

describe('a setback', () => {
  it('is overcome by asking once more', async () => {
    const scene = await setup([refusal(503, 'service_unavailable', { 'retry-after': '2' }), run]);
    await expect(read(scene)).resolves.toMatchObject({ runId: 'run_1' });
    expect([scene.server.received.length, scene.sleeps]).toEqual([2, [2000]]);
  });

  it.each([
    ['that names the request', 422, 'tool_result_without_call'],
    ['that is a conflict', 409, 'sequence_conflict'],
    ['of a broken server', 500, 'internal_error'],
  ])('is not repeated where it is a refusal %s', async (_, status, code) => {
    const scene = await setup([refusal(status, code)]);
    await expect(create(scene)).rejects.toMatchObject({ name: 'ApiError', status, code });
    expect(scene.server.received).toHaveLength(1);
  });

  it.each<[string, Answer]>([
    ['another request with its key is at work', refusal(409, 'idempotency_in_flight')],
    ['the answer broke off', brokenOff('{"runId":')],
    ['the connection was lost', noAnswer],
    ['a proxy found nobody', page(502)],
    ['the server is busy', refusal(503, 'service_unavailable')],
  ])('sends a POST again under its one key where %s', async (_, setback) => {
    const scene = await setup([run, setback, setback, run]);
    await create(scene);
    await create(scene);
    const [first, ...again] = keysOf(scene);
    expect(again).toHaveLength(3);
    expect(new Set(again).size).toBe(1);
    expect(again).not.toContain(first);
    expect(scene.server.received.map(({ body }) => body)).toEqual(
      Array(4).fill('{"workflowId":"palimpsest-external"}'),
    );
  });

  it('sends a DELETE again under its one key', async () => {
    const removed = json(200, { pinId: 'pin_1', removed: true });
    const scene = await setup([refusal(503, 'service_unavailable'), removed]);
    const params = { path: { runId: 'run_1', pinId: 'pin_1' } };
    await expect(scene.client.delete('/v1/runs/{runId}/pins/{pinId}', { params })).resolves.toEqual({
      pinId: 'pin_1',
      removed: true,
    });
    const [first] = keysOf(scene);
    expect(keysOf(scene)).toEqual([first, first]);
    expect(first).toEqual(expect.any(String));
    expect(scene.server.received[0]).toMatchObject({ method: 'DELETE', path: '/v1/runs/run_1/pins/pin_1' });
  });

  it('keeps the key that the caller gave', async () => {
    const scene = await setup([refusal(429, 'rate_limited'), run]);
    const params = { header: { 'Idempotency-Key': 'mine' } };
    await scene.client.post('/v1/runs', { params, body: { workflowId: 'w' } });
    expect(keysOf(scene)).toEqual(['mine', 'mine']);
  });

  it.each([
    ['in seconds', '7', 7000],
    ['as a date', 'Sun, 01 Mar 2026 12:00:05 GMT', 5000],
    ['in words', 'soon', 1000],
  ])('waits as long as it is asked to, %s', async (_, asked, waited) => {
    const scene = await setup([refusal(429, 'rate_limited', { 'retry-after': asked }), run]);
    await read(scene);
    expect(scene.sleeps).toEqual([waited]);
  });

  it('reads the wait from the envelope where the header cannot be read', async () => {
    const scene = await setup([refusal(409, 'idempotency_in_flight', {}, { retryAfter: 3 }), run]);
    await create(scene);
    expect(scene.sleeps).toEqual([3000]);
  });

  it('is the caller’s to wait out where the server asks for long', async () => {
    const scene = await setup([refusal(429, 'rate_limited', { 'retry-after': '3600' })]);
    await expect(read(scene)).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 3_600_000 });
    expect(scene.server.received).toHaveLength(1);
  });

  it('is waited out for a moment only where no server has ever answered', async () => {
    const scene = await setup([run]);
    await scene.server.stop();
    await expect(create(scene)).rejects.toMatchObject({ code: 'unreachable', url: scene.client.url });
    expect(scene.sleeps).toEqual([100, 200, 400]);
  });

  it('is waited out for a restart where the server has answered before', async () => {
    const scene = await setup([run]);
    await create(scene);
    await scene.server.stop();
    await expect(create(scene)).rejects.toMatchObject({ code: 'unreachable' });
    const waited = scene.sleeps.reduce((total, each) => total + each, 0);
    expect(waited).toBeGreaterThan(20_000);
    expect(waited).toBeLessThanOrEqual(30_000);
  });
});

describe('an error', () => {
  it('says what the envelope says', async () => {
    const scene = await setup([
      refusal(422, 'unsupported_content', { 'x-request-id': 'req_7' }, { field: 'messages.1' }),
      refusal(500, 'internal_error', {}, { correlationId: 'req_8' }),
    ]);
    const error: unknown = await create(scene).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 422,
      code: 'unsupported_content',
      message: 'Not so: unsupported_content.',
      details: { field: 'messages.1' },
      requestId: 'req_7',
      retryAfterMs: undefined,
    });
    await expect(read(scene)).rejects.toMatchObject({ requestId: 'req_8' });
  });

  it.each<[string, Answer]>([
    ['a page of something else', page(404)],
    ['a page instead of a document', page(200)],
    ['an error without a code', json(400, { detail: 'x' })],
    ['an error that is no object', json(400, ['error', 'message'])],
    ['a success that is no JSON', (response) => response.writeHead(200).end('{"runId":')],
    ['a success without a body', (response) => response.writeHead(200).end()],
    ['a proxy that finds nobody', page(504)],
  ])('says so where the answer is %s, and shows none of it', async (_, answer) => {
    const scene = await setup([answer]);
    const error = (await read(scene).catch((thrown: unknown) => thrown)) as Error;
    expect(error).toMatchObject({ name: 'UnexpectedAnswerError', code: 'unexpected_answer' });
    expect(error.message).not.toMatch(/html|nginx|runId|detail/);
  });

  it('is what a redirect is: the key follows nobody elsewhere', async () => {
    const elsewhere = await LocalServer.start(run);
    const scene = await setup([page(307, { location: `${elsewhere.url}/v1/runs` })]);
    await expect(create(scene)).rejects.toMatchObject({ code: 'unexpected_answer', status: 307 });
    expect([scene.server.received.length, elsewhere.received.length]).toEqual([1, 0]);
  });

  it.each<[string, Answer]>([
    ['no server answers', noAnswer],
    ['the key is refused', refusal(401, 'unauthenticated')],
    ['a proxy answers', page(500)],
    ['the request is sent elsewhere', page(302, { location: 'http://127.0.0.1:9/' })],
  ])('never says the key where %s', async (_, answer) => {
    const scene = await setup([answer]);
    const error = (await create(scene).catch((thrown: unknown) => thrown)) as Error;
    expect(allOf(error)).not.toContain(KEY);
  });

  it.each([
    ['a key that no header takes', { url: 'http://127.0.0.1:9', key: 'pal_se\ncret' }],
    ['a key of other letters', { url: 'http://127.0.0.1:9', key: 'pal_…cret' }],
    ['a password in the URL', { url: 'http://me:pal_cret@127.0.0.1:9' }],
    ['no URL', { url: 'cret' }],
    ['another protocol', { url: 'ftp://cret' }],
  ])('comes before anything is sent for %s', (_, target) => {
    const error = thrownBy(() => new PalimpsestClient(target));
    expect(error).toBeInstanceOf(InvalidTargetError);
    expect(allOf(error as Error)).not.toContain('cret');
  });
});

describe('a signal', () => {
  it('ends a request at work, with its reason', async () => {
    const stopped = new AbortController();
    const scene = await setup([() => stopped.abort(new TypeError('enough'))]);
    await expect(read(scene, stopped.signal)).rejects.toThrow('enough');
    await scene.server.received[0]?.gone;
    expect(scene.sleeps).toEqual([]);
  });

  it('ends the wait for the next attempt', async () => {
    const stopped = new AbortController();
    const scene = await setup([refusal(503, 'service_unavailable', { 'retry-after': '20' })], {
      sleep: (milliseconds, signal) => {
        const slept = hostPlatform.sleep(milliseconds, signal);
        stopped.abort(new TypeError('enough'));
        return slept;
      },
    });
    await expect(read(scene, stopped.signal)).rejects.toThrow('enough');
    expect(scene.server.received).toHaveLength(1);
  });
});

/** Everything that a log of it might show. */
function allOf(error: Error): string {
  const { cause } = error;
  return [error.message, error.stack, JSON.stringify(error), cause instanceof Error ? allOf(cause) : ''].join(
    '\n',
  );
}

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
