import { MemoryArtifactStore } from '@palimpsest/adapter-memory';
import { errorEnvelopeSchema } from '@palimpsest/contracts';
import { ServiceUnavailableError, silentLogger, type ArtifactStore, type Logger } from '@palimpsest/kernel';
import type { InjectOptions } from 'fastify';
import { createArtifactApp } from './create-artifact-listener.js';

const SERVICE_TOKEN = 'a-service-token-for-specs';
const AUTHORIZED = { authorization: `Bearer ${SERVICE_TOKEN}` };
const NDJSON = { ...AUTHORIZED, 'content-type': 'application/x-ndjson' };
const PUT = '/tenants/t/runs/run/artifacts';
const SECRET = 'words that no log may hold';

function open(store: ArtifactStore = new MemoryArtifactStore()) {
  const logged: unknown[] = [];
  const log = (fields: object, message: string) => logged.push([fields, message]);
  const logger: Logger = { debug: log, info: log, warn: log, error: log };
  const app = createArtifactApp({ store, serviceToken: SERVICE_TOKEN, logger });
  return { app, logged, ask: (request: InjectOptions) => app.inject(request) };
}

const line = (value: object) => `${JSON.stringify(value)}\n`;
const put = (payload: string | Buffer, headers: Record<string, string> = NDJSON): InjectOptions => ({
  method: 'POST',
  url: PUT,
  headers,
  payload,
});

describe('the internal listener', () => {
  it('stores the lines of a put and streams them back', async () => {
    const { ask } = open();
    const lines = ['a', 'b'].map((content) => line({ type: 'message', content }));
    const { artifactIds } = (await ask(put(lines.join('')))).json<{ artifactIds: string[] }>();
    const read = await ask({
      method: 'POST',
      url: '/tenants/t/artifact-reads',
      headers: AUTHORIZED,
      payload: { artifactIds: [...artifactIds, `art_${'A'.repeat(32)}`] },
    });
    expect(read.headers['content-type']).toContain('application/x-ndjson');
    const answered = read.body
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text) as object);
    expect(answered).toMatchObject([
      { reading: { content: 'a' } },
      { reading: { content: 'b' } },
      { end: { count: 2 } },
    ]);
  });

  it('asks everything but its health for the token', async () => {
    const { ask } = open();
    expect((await ask({ url: '/healthz' })).statusCode).toBe(200);
    const wrong = [
      '',
      'Bearer',
      `Bearer ${SERVICE_TOKEN} `,
      `bearer ${SERVICE_TOKEN}`,
      SERVICE_TOKEN,
      'Bearer x',
    ];
    for (const authorization of wrong)
      for (const url of ['/healthz/', '/healthz?x', PUT, '/nowhere', '/tenants/t/runs/r/artifacts/a'])
        expect((await ask({ url, headers: { authorization } })).statusCode).toBe(401);
  });

  it('refuses a token that is too short to be one', () => {
    const options = { store: new MemoryArtifactStore(), serviceToken: '', logger: silentLogger };
    expect(() => createArtifactApp(options)).toThrow(expect.objectContaining({ code: 'validation_error' }));
  });

  const good = line({ type: 'message', content: 'good' });
  it.each<readonly [string, InjectOptions, number, string]>([
    ['text that is not JSON', put(`${good}{"type":"message","content":"${SECRET}`), 400, 'validation_error'],
    ['bytes that are not UTF-8', put(Buffer.from([0x22, 0xff, 0x22])), 400, 'validation_error'],
    ['a lone surrogate', put('{"type":"message","content":"\\ud800"}'), 400, 'validation_error'],
    [
      'a number that JSON reads as infinite',
      put('{"type":"message","content":1e400}'),
      400,
      'validation_error',
    ],
    ['a line that is no object', put('[]'), 400, 'validation_error'],
    [
      'an unknown field',
      put(line({ type: 'message', content: 1, artifactId: 'art_x' })),
      400,
      'validation_error',
    ],
    ['a missing content', put(line({ type: 'message' })), 400, 'validation_error'],
    [
      'sources that are no list',
      put(line({ type: 'message', content: 1, derivedFrom: 'x' })),
      400,
      'validation_error',
    ],
    [
      'sources that are no ids',
      put(line({ type: 'message', content: 1, derivedFrom: [1] })),
      400,
      'validation_error',
    ],
    ['an unknown type', put(line({ type: 'other', content: 1 })), 400, 'validation_error'],
    [
      'a malformed tenant',
      { ...put(good), url: '/tenants/T%00/runs/run/artifacts' },
      400,
      'validation_error',
    ],
    ['a malformed URL', { ...put(good), url: '/tenants/%zz/runs/run/artifacts' }, 400, 'validation_error'],
    ['too many artifacts', put(good.repeat(1001)), 413, 'payload_too_large'],
    [
      'an artifact above 16 MiB',
      put(line({ type: 'message', content: 'x'.repeat(2 ** 24) })),
      413,
      'payload_too_large',
    ],
    ['a line above its limit', put('x'.repeat(18 * 2 ** 20)), 413, 'payload_too_large'],
    [
      'a put in another media type',
      put('{}', { ...AUTHORIZED, 'content-type': 'application/json' }),
      415,
      'unsupported_media_type',
    ],
    [
      'a media type nobody knows',
      put('x', { ...AUTHORIZED, 'content-type': 'text/x' }),
      415,
      'unsupported_media_type',
    ],
    [
      'a read without ids',
      {
        ...put('{}', { ...AUTHORIZED, 'content-type': 'application/json' }),
        url: '/tenants/t/artifact-reads',
      },
      400,
      'validation_error',
    ],
    ['a route that is not there', { url: '/tenants', headers: AUTHORIZED }, 404, 'not_found'],
  ])(
    'refuses %s in the flat envelope, stores nothing and logs no content',
    async (_what, request, status, code) => {
      const store = new MemoryArtifactStore();
      const { ask, logged } = open(store);
      const answer = await ask(request);
      expect([answer.statusCode, errorEnvelopeSchema.parse(answer.json()).error]).toEqual([status, code]);
      expect(answer.body + JSON.stringify(logged)).not.toContain(SECRET);
      const [id] = await store.put('t', 'other', [{ type: 'message', content: 'good' }]);
      expect(await store.getForRun('t', 'run', id ?? '')).toBeUndefined();
    },
  );

  it('answers 503 with Retry-After where the store is unavailable, 500 without a word where it is broken', async () => {
    const store = new MemoryArtifactStore();
    const { ask, logged } = open(store);
    store.put = () => Promise.reject(new ServiceUnavailableError('The database'));
    const unavailable = await ask(put(good));
    expect([unavailable.statusCode, unavailable.headers['retry-after']]).toEqual([503, '1']);
    store.put = () => Promise.reject(new TypeError(SECRET));
    const broken = await ask(put(good));
    expect(broken.json()).toEqual({ error: 'internal_error', message: expect.any(String) });
    expect(broken.statusCode).toBe(500);
    expect(logged).toHaveLength(2);
    expect(broken.body + JSON.stringify(logged)).not.toContain(SECRET);
  });
});
