import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { envelope, pairs, PRIVATE_VALUES } from '@palimpsest/context-efficiency/testing';
import { errorEnvelopeSchema, type JsonObject } from '@palimpsest/contracts';
import type { Promote } from '@palimpsest/contracts/registry';
import { isErased, TerminalError } from '@palimpsest/kernel';
import { rolloutScope } from '../domain/artifact-scopes.js';
import { gatewayMigrations } from '../store/migrations.js';
import { startGateway, type Answer, type GatewayHarness } from '../testing/gateway-harness.js';
import { KeptLog } from '../testing/kept-log.js';
import type { Registry } from '../ports.js';
import { ROLLOUT_OPERATIONS } from './rollout-operations.js';

const base = '/v1/rollouts/staging';
const place = { tenantId: 'acme', environment: 'staging' };
const CANDIDATE = {
  candidateVersion: '1.4.0+b7',
  corpusVersion: 'corpus-3',
  runtimeDigest: `sha256:${'7'.repeat(64)}`,
};
const STAGE = {
  family: 'capsules',
  stage: 'canary',
  canaryPercent: 10,
  candidate: CANDIDATE,
  expectedVersion: 3,
};
const SELECT = {
  family: 'capsules',
  actualMode: 'fresh-capsule',
  recommendedMode: 'resume',
  reasonCodes: ['RESUME_COMPATIBLE'],
  taskCorpusId: 'backend-refactor-12',
  provider: 'claude',
};
const PAIRS = pairs(1);
const PROMOTE = {
  family: 'capsules',
  pairs: PAIRS,
  thresholds: { minimum_sample_size: 50 },
  measurementEnvelope: envelope(PAIRS),
  expectedVersion: 3,
};

const POSTS: readonly (readonly [string, object, keyof Registry])[] = [
  [base, STAGE, 'changeStage'],
  [`${base}:select`, SELECT, 'select'],
  [`${base}/promotions`, PROMOTE, 'promote'],
];

describe('rollouts over HTTP', () => {
  const log = new KeptLog();
  let database: TestDatabase;
  let gateway: GatewayHarness;
  beforeAll(async () => {
    database = await createTestDatabase([gatewayMigrations]);
    gateway = await startGateway(database.pool, { ports: { logger: log } });
  });
  beforeEach(() => gateway.registry.reset());
  afterAll(async () => {
    await gateway.close();
    await database.drop();
  });

  const get = (url: string): Promise<Answer> => gateway.ask({ method: 'GET', url });
  const post = (url: string, json: unknown, headers = {}): Promise<Answer> =>
    gateway.ask({ method: 'POST', url, json, headers });

  function refused(answer: Answer, status: number, error: string): JsonObject | undefined {
    const refusal = errorEnvelopeSchema.parse(answer.body);
    expect([answer.status, refusal.error]).toEqual([status, error]);
    return refusal.details;
  }

  it('are read by environment', async () => {
    const answer = await get('/v1/rollouts/eu-1.staging');
    expect(answer.status).toBe(200);
    ROLLOUT_OPERATIONS.readRollouts.response.parse(answer.body);
    expect(gateway.registry.asked).toEqual([
      { name: 'readRollouts', body: { tenantId: 'acme', environment: 'eu-1.staging' } },
    ]);
  });

  it('change their stage', async () => {
    const answer = await post(base, STAGE);
    expect(answer.status).toBe(200);
    expect(ROLLOUT_OPERATIONS.changeStage.response.parse(answer.body)).toMatchObject({ canaryPercent: 10 });
    expect(gateway.registry.asked).toEqual([{ name: 'changeStage', body: { ...place, ...STAGE } }]);
  });

  it('select', async () => {
    const answer = await post(`${base}:select`, SELECT);
    expect(answer.status).toBe(200);
    ROLLOUT_OPERATIONS.selectRollout.response.parse(answer.body);
    expect(gateway.registry.asked).toEqual([{ name: 'select', body: { ...place, ...SELECT } }]);
  });

  it('are promoted by evidence that is stored first', async () => {
    const answer = await post(`${base}/promotions`, PROMOTE);
    expect(answer.status).toBe(200);
    ROLLOUT_OPERATIONS.promoteRollout.response.parse(answer.body);
    const [asked] = gateway.registry.askedOf('promote') as readonly Promote[];
    expect(asked).toEqual({
      ...place,
      family: 'capsules',
      expectedVersion: 3,
      evidenceArtifactId: expect.any(String),
    });
    const scope = rolloutScope('staging');
    expect(scope).toMatch(/^rollout-[0-9a-f]{32}$/);
    const stored = await gateway.ports.artifacts.getForRun('acme', scope, asked?.evidenceArtifactId ?? '');
    expect(stored && !isErased(stored) && [stored.type, stored.content]).toEqual([
      'promotion.evidence',
      {
        pairs: PAIRS,
        thresholds: { minimum_sample_size: 50 },
        measurement_envelope: PROMOTE.measurementEnvelope,
      },
    ]);
    await post(`${base}/promotions`, { family: 'capsules', pairs: PAIRS, measurementEnvelope: {} });
    const [, bare] = gateway.registry.askedOf('promote') as readonly Promote[];
    expect(bare).not.toHaveProperty('expectedVersion');
    const other = await gateway.ports.artifacts.getForRun('acme', scope, bare?.evidenceArtifactId ?? '');
    expect(other && !isErased(other) && other.content).toEqual({ pairs: PAIRS, measurement_envelope: {} });
  });

  it('answer a promotion that fails its gates like one that passes', async () => {
    const gates = [{ gate: 'sample_size', figure: 5, threshold: 50, passed: false }];
    gateway.registry.answer('promote', ({ environment, family }) => ({
      environment,
      family,
      promoted: false,
      from: { stage: 'shadow', canaryPercent: null },
      to: { stage: 'shadow', canaryPercent: null },
      gates,
      sequence: 4,
      evaluatedAt: '2026-01-02T03:04:05.678Z',
    }));
    const answer = await post(`${base}/promotions`, PROMOTE);
    expect([answer.status, answer.body['promoted'], answer.body['gates']]).toEqual([200, false, gates]);
  });

  it('are reported by family', async () => {
    const answer = await get(`${base}/report?family=capsules`);
    expect(answer.status).toBe(200);
    ROLLOUT_OPERATIONS.reportRollout.response.parse(answer.body);
    expect(gateway.registry.asked).toEqual([
      { name: 'rolloutReport', body: { ...place, family: 'capsules' } },
    ]);
    for (const query of ['', '?family=', '?family=a%20b']) {
      refused(await get(`${base}/report${query}`), 400, 'validation_error');
    }
  });

  it.each(POSTS)('are asked once for an idempotency key: %s', async (url, json, name) => {
    const headers = { 'idempotency-key': `once-${name}` };
    const first = await post(url, json, headers);
    const again = await post(url, json, headers);
    expect([again.status, again.text, again.headers['openwop-idempotent-replay']]).toEqual([
      200,
      first.text,
      'true',
    ]);
    expect(gateway.registry.askedOf(name)).toMatchObject([
      { commandId: expect.stringMatching(/^cmd_/) as string },
    ]);
    expect((await post(url, { ...json, family: 'other' }, headers)).status).toBe(409);
  });

  it.each(POSTS)('keep the registry’s refusal: %s', async (url, json, name) => {
    gateway.registry.answer(name, () => {
      throw new TerminalError('version_conflict', 'The family has moved on.', { details: { version: 4 } });
    });
    expect(refused(await post(url, json), 409, 'version_conflict')).toEqual({ version: 4 });
  });

  it.each(POSTS)('take nothing private at %s, and say nothing of it', async (url, json, name) => {
    const secrets = [...Object.values(PRIVATE_VALUES), 'ada@example.org', '/home/ada/x', 'run-20310301'];
    for (const [index, secret] of secrets.entries()) {
      const bodies = [
        { ...json, family: secret },
        { ...json, note: [{ a: secret }] },
        { ...json, [secret]: 1 },
        { ...json, reasonCodes: [secret], pairs: [{ id: secret }], candidate: { candidateVersion: secret } },
      ];
      const inside = expect.stringMatching(
        /^(?:reasonCodes\.0|pairs\.0\.id|candidate\.candidateVersion)$/,
      ) as string;
      const fields = ['family', undefined, undefined, inside];
      const answer = await post(url, bodies[index % bodies.length]);
      const field = fields[index % fields.length];
      expect(refused(answer, 422, 'private_content')).toEqual(field === undefined ? undefined : { field });
      expect(answer.text).not.toContain(JSON.stringify(secret).slice(1, -1));
      expect(log.lines.join('\n')).not.toContain(JSON.stringify(secret).slice(1, -1));
    }
    expect(gateway.registry.askedOf(name)).toEqual([]);
  });

  it('take no private environment, and none that is no name', async () => {
    for (const named of ['run-20310301', 'ghp_aaaaaaaaaaaa']) {
      refused(await get(`/v1/rollouts/${named}`), 422, 'private_content');
      refused(await post(`/v1/rollouts/${named}`, STAGE), 422, 'private_content');
    }
    for (const named of ['-a', 'a%20b', 'x'.repeat(129), 'a%00', '%C3%A9']) {
      refused(await get(`/v1/rollouts/${named}`), 400, 'validation_error');
      refused(await post(`/v1/rollouts/${named}:select`, SELECT), 400, 'validation_error');
    }
    expect(gateway.registry.asked).toEqual([]);
    expect((await get(`/v1/rollouts/${'x'.repeat(128)}`)).status).toBe(200);
  });

  it.each<[string, object]>([
    [base, {}],
    [base, { ...STAGE, stage: 'everywhere' }],
    [base, { ...STAGE, canaryPercent: 0 }],
    [base, { ...STAGE, canaryPercent: 100 }],
    [base, { ...STAGE, candidate: { ...CANDIDATE, runtimeDigest: 'sha256:7' } }],
    [base, { ...STAGE, expectedVersion: -1 }],
    [base, { ...STAGE, tenantId: 'rival' }],
    [`${base}:select`, {}],
    [`${base}:select`, { ...SELECT, actualMode: 'guess' }],
    [`${base}:select`, { ...SELECT, reasonCodes: ['BECAUSE'] }],
    [`${base}:select`, { ...SELECT, taskCorpusId: 'ticket-12' }],
    [`${base}:select`, { ...SELECT, provider: 'nobody' }],
    [`${base}:select`, { ...SELECT, surprise: 1 }],
    [`${base}/promotions`, {}],
    [`${base}/promotions`, { ...PROMOTE, pairs: [] }],
    [`${base}/promotions`, { ...PROMOTE, pairs: {} }],
    [`${base}/promotions`, { ...PROMOTE, pairs: ['a\u0000'] }],
    [`${base}/promotions`, { ...PROMOTE, thresholds: [] }],
    [`${base}/promotions`, { ...PROMOTE, measurementEnvelope: null }],
    [`${base}/promotions`, { ...PROMOTE, evidenceArtifactId: 'art_1' }],
  ])('refuse at %s what is not as described: %#', async (url, json) => {
    const details = refused(await post(url, json), 400, 'validation_error');
    if ((json as { readonly taskCorpusId?: string }).taskCorpusId === 'ticket-12')
      expect(details).toEqual({ field: 'taskCorpusId' });
    expect(gateway.registry.asked).toEqual([]);
  });

  it.each([
    [-1, 200],
    [0, 200],
    [1, 413],
  ])('take evidence of a mebibyte: %p bytes more', async (more, status) => {
    const text = JSON.stringify(PROMOTE);
    const payload = text + ' '.repeat(1_048_576 + more - Buffer.byteLength(text));
    const answer = await gateway.ask({ method: 'POST', url: `${base}/promotions`, payload });
    expect(answer.status).toBe(status);
  });

  it('take a scope each', async () => {
    const asks = [
      ['GET', base, 'rollouts:read'],
      ['POST', base, 'rollouts:manage'],
      ['POST', `${base}:select`, 'workgroups:write'],
      ['POST', `${base}/promotions`, 'rollouts:manage'],
      ['GET', `${base}/report?family=capsules`, 'rollouts:read'],
    ] as const;
    for (const [method, url, scope] of asks) {
      const others = (['rollouts:read', 'rollouts:manage', 'workgroups:write'] as const).filter(
        (each) => each !== scope,
      );
      const answer = await gateway.ask({ method, url, key: await gateway.newKey('acme', others), json: {} });
      expect(refused(answer, 403, 'forbidden')).toEqual({ scopeRequired: scope });
    }
    expect(gateway.registry.asked).toEqual([]);
  });
});
