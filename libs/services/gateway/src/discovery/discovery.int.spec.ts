import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import type { HostContext } from '../domain/context-settings.js';
import type { HostClaims } from '../gateway-options.js';
import { gatewayMigrations } from '../store/migrations.js';
import { discoverySchema, UNCLAIMED } from '../testing/discovery-schema.js';
import { startGateway, textIn, type GatewayHarness } from '../testing/gateway-harness.js';
import { hostContext } from '../testing/host-context.js';

const URL = '/.well-known/openwop';
const BODY_LIMIT = 300_000;

describe('discovery', () => {
  let database: TestDatabase;
  let gateway: GatewayHarness;
  beforeAll(async () => {
    database = await createTestDatabase([gatewayMigrations]);
    gateway = await startGateway(database.pool, {
      maxBodyBytes: BODY_LIMIT,
      engineLimits: { maxNodeExecutions: 7, maxRunDurationMs: 9000, maxLoopIterations: 12 },
      ports: { fixtureIds: async () => ['b-flow', 'a-flow', 'b-flow'] },
    });
  });
  afterAll(async () => {
    await gateway.close();
    await database.drop();
  });

  it('is public, cacheable and in the shape that the protocol gives it', async () => {
    const answer = await gateway.ask({ method: 'GET', url: URL, key: null });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.headers['cache-control']).toBe('public, max-age=300');
    expect(answer.headers['etag']).toMatch(/^"[^"]+"$/);
    discoverySchema.parse(answer.body);
    expect(Object.keys(answer.body).filter((family) => UNCLAIMED.some((each) => each === family))).toEqual(
      [],
    );
  });

  it('tells the running configuration', async () => {
    const { body } = await gateway.ask({ method: 'GET', url: URL, key: null });
    expect(body['limits']).toMatchObject({
      maxNodeExecutions: 7,
      maxRunDurationMs: 9000,
      maxLoopIterations: 12,
      maxRequestBodyBytes: BODY_LIMIT,
    });
    expect(body['fixtures']).toEqual(['a-flow', 'b-flow']);
    expect(body['idempotency']).toMatchObject({ layer1RetentionSeconds: 86_400 });
  });

  it('claims version 5, and nothing that takes a model, without a provider', async () => {
    const { body } = await gateway.ask({ method: 'GET', url: URL, key: null });
    const { multiAgent, ...document } = discoverySchema.parse(body);
    expect(multiAgent.executionModel).toEqual({
      supported: true,
      version: 5,
      confidenceEscalationFloor: 0.5,
      confidenceEscalationInterruptKind: 'approval',
      crossHostCausation: { supported: true, hostId: 'palimpsest' },
      replayDeterminism: {
        supported: true,
        llmCacheKeyRecipe: 'spec-rfc-0041',
        refusalDivergenceEmission: true,
      },
      statefulResume: true,
    });
    expect(document).not.toHaveProperty('providerUsage');
    expect(document.idempotency).not.toHaveProperty('layer2RetentionSeconds');
    expect(document.testing).not.toHaveProperty('mockProviders');
    const runId = await gateway.newRun();
    const { status } = await gateway.ask({ method: 'GET', url: `/v1/runs/${runId}/ancestry` });
    expect(status).toBe(404);
  });

  describe('with a model provider', () => {
    type Claims = Partial<HostClaims> & Partial<HostContext>;
    async function claiming({ hostId = 'eu-1', modelTurns = true, contextBudget = true, ...more }: Claims) {
      return startGateway(database.pool, {
        claims: { hostId, modelTurns, contextBudget },
        context: { ...hostContext, ...more },
      });
    }
    async function documentOf(claims: Claims) {
      const claimant = await claiming(claims);
      const { body } = await claimant.ask({ method: 'GET', url: URL, key: null });
      await claimant.close();
      return discoverySchema.parse(body);
    }

    it('claims usage, and the retention of what models answered', async () => {
      const { multiAgent, providerUsage, idempotency } = await documentOf({ contextBudget: false });
      expect(providerUsage).toEqual({ supported: true });
      expect(idempotency).toMatchObject({ layer2RetentionSeconds: 1_209_600 });
      expect(multiAgent.executionModel).not.toHaveProperty('contextBudget');
      expect(multiAgent.executionModel.crossHostCausation?.hostId).toBe('eu-1');
    });

    it.each(['sliding-window', 'recursive', 'map-reduce'] as const)(
      'claims the very numbers that loop runs are held to: %s',
      async (strategy) => {
        const claimant = await claiming({ strategy, tokenCounter: 'chars', keepLastTurns: 2 });
        const { body } = await claimant.ask({ method: 'GET', url: URL, key: null });
        const { contextBudget } = discoverySchema.parse(body).multiAgent.executionModel;
        expect(contextBudget).toEqual({
          transcriptTokenBudget: 32_000,
          tokenCounter: 'chars',
          summarization: { supported: true, strategy, keepLastTurns: 2 },
        });
        await claimant.ask({ method: 'POST', url: '/v1/runs', json: { workflowId: 'looped' } });
        const { context } = claimant.runLog.engine.started.at(-1) ?? {};
        const { transcriptTokenBudget, tokenCounter, ...knobs } = context ?? {};
        expect({ transcriptTokenBudget, tokenCounter, summarization: { supported: true, ...knobs } }).toEqual(
          contextBudget,
        );
        await claimant.close();
      },
    );

    it('claims no summaries where turns are dropped, and no budget where no model decides', async () => {
      const dropping = await documentOf({ strategy: 'none' });
      expect(dropping.multiAgent.executionModel.contextBudget).toEqual({
        transcriptTokenBudget: 8000,
        tokenCounter: 'o200k_base',
      });
      const scripted = await documentOf({ modelTurns: false });
      expect(scripted.multiAgent.executionModel).not.toHaveProperty('contextBudget');
    });

    it('does not start with a claim that cannot be kept', async () => {
      const tiny = { ...hostContext.defaultBudgets, o200k_base: 1 };
      await expect(claiming({ defaultBudgets: tiny })).rejects.toMatchObject({
        code: 'context_budget_infeasible',
      });
    });
  });

  it('tells a body limit that is kept', async () => {
    const runId = await gateway.newRun();
    const turn = (bytes: number): string => {
      const body = '{"messages":[{"role":"user","content":"x"}]}';
      return body + ' '.repeat(bytes - body.length);
    };
    const url = `/v1/runs/${runId}/turns`;
    const sent = (bytes: number) => gateway.ask({ method: 'POST', url, payload: turn(bytes) });
    expect((await sent(BODY_LIMIT)).status).toBe(201);
    expect((await sent(BODY_LIMIT + 1)).status).toBe(413);
  });

  it('is confirmed by its tag', async () => {
    const { headers } = await gateway.ask({ method: 'GET', url: URL, key: null });
    const tag = String(headers['etag']);
    for (const asked of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
      const answer = await gateway.ask({
        method: 'GET',
        url: URL,
        key: null,
        headers: { 'if-none-match': asked },
      });
      expect([asked, answer.status, answer.text]).toEqual([asked, 304, '']);
      expect(answer.headers).toMatchObject({
        etag: tag,
        'cache-control': 'public, max-age=300',
        'x-request-id': expect.any(String),
      });
    }
    const other = await gateway.ask({ method: 'GET', url: URL, headers: { 'if-none-match': '"other"' } });
    expect(other.status).toBe(200);
  });

  it('answers HEAD as GET, without the body', async () => {
    const get = await gateway.ask({ method: 'GET', url: URL, key: null });
    const head = await gateway.ask({ method: 'HEAD', url: URL, key: null });
    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['etag', 'content-type', 'content-length', 'cache-control', 'vary']) {
      expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
    }
  });

  it('is not to be kept while the workflows are not known', async () => {
    const down = await startGateway(database.pool, {
      ports: { fixtureIds: () => Promise.reject(new TypeError('down')) },
    });
    const { status, headers, body } = await down.ask({ method: 'GET', url: URL, key: null });
    expect([status, headers['cache-control'], body['fixtures']]).toEqual([200, 'no-cache', []]);
    discoverySchema.parse(body);
    await down.close();
  });

  it('names keys for tests by how they begin, and the engine versions that these may force', async () => {
    const { body } = await gateway.ask({ method: 'GET', url: URL, key: null });
    const { testKeyPrefix, forceEngineVersionRange } = discoverySchema.parse(body).testing;
    const test = await gateway.newKey('trials', undefined, 'test');
    expect(test.startsWith(testKeyPrefix)).toBe(true);
    expect(gateway.key.startsWith(testKeyPrefix)).toBe(false);
    const create = (key: string, version: string) =>
      gateway.ask({
        method: 'POST',
        url: '/v1/runs',
        key,
        json: { workflowId: 'palimpsest-external' },
        headers: { 'x-force-engine-version': version },
      });
    const { min, max } = forceEngineVersionRange;
    for (const version of [min, max]) {
      const { status, body: run } = await create(test, String(version));
      expect([version, status]).toEqual([version, 201]);
      expect(textIn(run, 'runId')).not.toBe('');
    }
    for (const version of [String(min - 1), String(max + 1), '', '1.0', 'x', '-1', '1, 1']) {
      const { status, body: refusal } = await create(test, version);
      expect([version, status, refusal['error']]).toEqual([version, 400, 'unsupported_force_engine_version']);
    }
    for (const version of ['1', '2']) {
      const { status, body: refusal } = await create(gateway.key, version);
      expect([status, refusal['error']]).toEqual([403, 'force_engine_version_forbidden']);
    }
    const list = await gateway.ask({
      method: 'GET',
      url: '/v1/runs',
      headers: { 'x-force-engine-version': '9' },
    });
    expect(list.status).toBe(200);
  });
});
