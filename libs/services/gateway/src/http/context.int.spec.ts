import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import {
  answerOperation,
  MAX_REQUEST_BYTES,
  OPERATION_NAMES,
  textWorkspace,
} from '@palimpsest/context-efficiency';
import {
  CAPSULE,
  CURRENT,
  LINEAGE,
  NOON,
  options,
  pairs,
  PRIVATE_VALUES,
  TRUSTED_KEYS,
} from '@palimpsest/context-efficiency/testing';
import { errorEnvelopeSchema } from '@palimpsest/contracts';
import { gatewayMigrations } from '../store/migrations.js';
import { startGateway, type Answer, type Ask, type GatewayHarness } from '../testing/gateway-harness.js';
import { KeptLog } from '../testing/kept-log.js';
import { CONTEXT_OPERATIONS } from './context-operations.js';

const { now: _now, ...measuredNow } = options(pairs()) as Record<string, unknown>;

/** Of each operation a request that it decides, its time left to the clock. */
const REQUESTS: Readonly<Record<string, object>> = {
  route: { input: { role: 'indexer', sensitivity: 'isolated' } },
  lineage: { lineage: LINEAGE, current: CURRENT },
  capsule: { capsule: CAPSULE },
  telemetry: {
    event: { event: 'worker_usage', observed_at: NOON, provider: 'claude', logical: { prompt_bytes: 0 } },
  },
  rollout: {
    input: { rollout: 'canary', recommended_mode: 'resume', task_corpus_id: 'backend-refactor-12' },
  },
  'result-policy': { input: { material: true } },
  'vault-delta': { input: { delta: { category: 'Decision', title: 'Stream owner', content: 'One.' } } },
  dispatch: { routing: { blocking: true }, rollout: { rollout: 'shadow' } },
  promotion: { pairs: pairs(), options: measuredNow },
};

const INVALID = {
  ok: false,
  code: 'INVALID_REQUEST',
  message: 'The request is not valid for this operation.',
};
const BLOCKING = { ok: true, operation: 'route', result: { mode: 'local', reason_codes: ['BLOCKING'] } };

describe('operations of the context-efficiency contract over HTTP', () => {
  const log = new KeptLog();
  let database: TestDatabase;
  let gateway: GatewayHarness;
  beforeAll(async () => {
    database = await createTestDatabase([gatewayMigrations]);
    gateway = await startGateway(database.pool, {
      ports: { logger: log, clock: { now: () => new Date(NOON) } },
      trustedMeasurementKeys: TRUSTED_KEYS,
      maxBodyBytes: 300_000,
    });
  });
  afterAll(async () => {
    await gateway.close();
    await database.drop();
  });

  const decide = (operation: string, payload: string | Buffer, ask: Partial<Ask> = {}): Promise<Answer> =>
    gateway.ask({ method: 'POST', url: `/v1/context/${operation}`, payload, ...ask });

  async function refused(answer: Promise<Answer>, status: number, error: string): Promise<Answer> {
    const { status: actual, body } = await answer;
    expect([actual, errorEnvelopeSchema.parse(body).error]).toEqual([status, error]);
    return answer;
  }

  it.each(OPERATION_NAMES)(
    '%s answers what the contract does, and the same bytes again',
    async (operation) => {
      const request = REQUESTS[operation] ?? {};
      const answer = await decide(operation, JSON.stringify(request));
      const surroundings = { clock: Date.parse(NOON), workspace: textWorkspace, trustedKeys: TRUSTED_KEYS };
      const expected = JSON.stringify(
        answerOperation(operation, JSON.parse(JSON.stringify(request)), surroundings),
      );
      expect([answer.status, answer.text]).toEqual([200, expected]);
      expect(answer.headers['content-type']).toMatch(/^application\/json\b/);
      expect(answer.body).toMatchObject({ ok: true, operation });
      expect((await decide(operation, JSON.stringify(request))).text).toBe(answer.text);
      CONTEXT_OPERATIONS.decideContext.response.parse(answer.body);
    },
  );

  it.each(OPERATION_NAMES)('%s answers its refusal like any other answer', async (operation) => {
    const { status, body } = await decide(operation, '{}');
    const code = operation === 'rollout' || operation === 'route' ? 'INVALID_REQUEST' : expect.any(String);
    expect([status, body]).toEqual([200, { ok: false, code, message: expect.any(String) }]);
  });

  it('decide at the host’s time, and by the host’s keys', async () => {
    const expiring = { ...LINEAGE, lease_expires_at: NOON };
    expect(
      (await decide('lineage', JSON.stringify({ lineage: LINEAGE, current: CURRENT }))).body,
    ).toMatchObject({
      result: { state: 'HOT' },
    });
    expect(
      (await decide('lineage', JSON.stringify({ lineage: expiring, current: CURRENT }))).body,
    ).toMatchObject({
      result: { state: 'COLD_VALID' },
    });
    const { body } = await decide('promotion', JSON.stringify(REQUESTS['promotion']));
    expect(body).toMatchObject({ result: { promote: true } });
  });

  it('look at no file of the host', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'context-'));
    await symlink(tmpdir(), join(folder, 'out'));
    const input = { is_writer: true, owned_files: ['out/x'], workspace_root: folder };
    const { body } = await decide('route', JSON.stringify({ input }));
    await rm(folder, { recursive: true });
    expect(body).toMatchObject({ ok: true, result: { mode: 'fresh-capsule' } });
  });

  it.each<[string, string | Buffer]>([
    ['no JSON', 'nonsense'],
    ['nothing but blanks', '  '],
    ['an empty text', ''],
    ['a list', '[]'],
    ['null', 'null'],
    ['a number', '1'],
    ['two values', '{}{}'],
    ['a comma too many', '{"input":{},}'],
    ['a mark of byte order', '\uFEFF{"input":{"blocking":true}}'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['an open end', `{"input":${'['.repeat(50_000)}`],
  ])('refuse a body that is %s as the contract says', async (_, payload) => {
    const { status, body } = await decide('route', payload);
    expect([status, body]).toEqual([200, INVALID]);
  });

  it('refuse a request without a body as the contract says', async () => {
    const { status, body } = await gateway.ask({ method: 'POST', url: '/v1/context/route' });
    expect([status, body]).toEqual([200, INVALID]);
  });

  it.each([
    ['the last of equal keys', '{"input":1,"input":{"blocking":false,"blocking":true}}'],
    ['no prototype', '{"__proto__":{"input":1},"input":{"blocking":true,"__proto__":{"is_writer":true}}}'],
    [
      'nothing of what nobody reads',
      `{"input":{"blocking":true,"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
    ],
    [
      'numbers that this host keeps nowhere',
      '{"input":{"blocking":true,"a":-0,"b":9007199254740993,"c":1e400}}',
    ],
    ['text that this host keeps nowhere', '{"input":{"blocking":true,"a":"\\u0000\\ud800"}}'],
  ])('read %s', async (_, payload) => {
    const { status, body } = await decide('route', payload);
    expect([status, body]).toEqual([200, BLOCKING]);
  });

  it.each([
    [-1, 200],
    [0, 200],
    [1, 413],
  ])(
    'take bodies of as many bytes as the contract, whatever the host’s limit: %p more',
    async (more, status) => {
      const text = '{"input":{"blocking":true,"é":1}}';
      const padded = text + ' '.repeat(MAX_REQUEST_BYTES + more - Buffer.byteLength(text));
      const answer = await decide('route', padded);
      expect(answer.status).toBe(status);
      if (status === 200) return expect(answer.body).toEqual(BLOCKING);
      expect(errorEnvelopeSchema.parse(answer.body)).toMatchObject({
        error: 'payload_too_large',
        details: { limitBytes: MAX_REQUEST_BYTES },
      });
    },
  );

  it.each(['ROUTE', '%20route', 'route%20', 'constructor', '__proto__', 'routes', 'r%C3%B6ute'])(
    'are known by their words alone: %s',
    (word) => refused(decide(word, '{}'), 404, 'not_found'),
  );

  it('ask for a key and its scope first', async () => {
    const others = await gateway.newKey('acme', ['workgroups:read', 'workgroups:write', 'rollouts:manage']);
    const only = await gateway.newKey('acme', ['context:decide']);
    await refused(decide('route', '{}', { key: null }), 401, 'unauthenticated');
    await refused(decide('nowhere', '{', { key: null }), 401, 'unauthenticated');
    const { body } = await refused(decide('nowhere', '{', { key: others }), 403, 'forbidden');
    expect(body['details']).toEqual({ scopeRequired: 'context:decide' });
    expect((await decide('route', '{"input":{"blocking":true}}', { key: only })).body).toEqual(BLOCKING);
  });

  it.each([
    ['another type', { 'content-type': 'text/plain' }],
    ['a type of several parts', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['what is no type', { 'content-type': 'json' }],
    ['any type', { 'content-type': '*/*' }],
    ['half a type', { 'content-type': 'application/' }],
    ['no type', { 'content-type': undefined }],
    ['an encoding', { 'content-encoding': 'gzip' }],
    ['an encoding nobody knows', { 'content-type': 'text/plain', 'content-encoding': 'nonsense' }],
  ])('judge bytes by what they are, sent with %s', async (_, headers) => {
    const asked = (payload: string | Buffer): Promise<Answer> =>
      decide('route', payload, { headers: headers as NonNullable<Ask['headers']> });
    const decided = await asked('{"input":{"blocking":true}}');
    expect([decided.status, decided.body]).toEqual([200, BLOCKING]);
    for (const payload of ['nonsense', gzipSync('{"input":{"blocking":true}}')]) {
      const { status, body } = await asked(payload);
      expect([status, body]).toEqual([200, INVALID]);
    }
    await refused(asked(' '.repeat(MAX_REQUEST_BYTES + 1)), 413, 'payload_too_large');
  });

  it.each(['GET', 'HEAD', 'PUT', 'DELETE'] as const)('are no %s', async (method) => {
    const answer = await gateway.ask({ method, url: '/v1/context/route' });
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST']);
  });

  it('keep nothing for an Idempotency-Key, and are not harmed by one', async () => {
    for (const key of ['same', 'same', 'a b', 'x'.repeat(300)]) {
      const answer = await decide('route', '{"input":{"blocking":true}}', {
        headers: { 'idempotency-key': key },
      });
      expect([answer.status, answer.body]).toEqual([200, BLOCKING]);
      expect(answer.headers['openwop-idempotent-replay']).toBeUndefined();
    }
    const other = await decide('route', '{"input":1}', { headers: { 'idempotency-key': 'same' } });
    expect(other.body).toEqual(INVALID);
    const { rows } = await database.pool.query('SELECT * FROM gateway.idempotency');
    expect(rows).toEqual([]);
  });

  it('say nothing of what is private, and ask nobody', async () => {
    const secrets = Object.values(PRIVATE_VALUES);
    for (const secret of secrets) {
      const capsule = { ...CAPSULE, objective: secret };
      const answers = await Promise.all([
        decide('capsule', JSON.stringify({ capsule })),
        decide('telemetry', JSON.stringify({ event: { event: secret, note: secret } })),
        decide('route', `{"input":${JSON.stringify(secret)}`),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(answers[0]?.body).toMatchObject({ code: 'CAPSULE_PRIVATE_CONTENT' });
      expect(answers.filter(({ text }) => text.includes(JSON.stringify(secret).slice(1, -1)))).toEqual([]);
    }
    const logged = log.lines.join('\n');
    expect(logged).toContain('/v1/context/');
    expect(secrets.filter((secret) => logged.includes(JSON.stringify(secret).slice(1, -1)))).toEqual([]);
    expect(gateway.registry.asked).toEqual([]);
  });
});
