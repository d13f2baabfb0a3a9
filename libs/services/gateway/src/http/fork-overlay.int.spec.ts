import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import {
  PAYLOAD_BYTES,
  RECOUNTED_BYTES,
  RUN_OVERLAID,
  type ForkRun,
  type JsonObject,
} from '@palimpsest/contracts';
import { startGateway, textIn, type Answer, type GatewayHarness } from '../testing/gateway-harness.js';
import { gatewayMigrations } from '../store/migrations.js';

const AT = new Date('2026-01-01T00:00:00.000Z');

/** What the coordinator is asked to fork. */
describe('a fork with other settings', () => {
  let database: TestDatabase;
  let gateway: GatewayHarness;
  let forks: ForkRun[];

  beforeAll(async () => {
    database = await createTestDatabase([gatewayMigrations]);
    gateway = await startGateway(database.pool, {
      ports: {
        forks: {
          fork: async (command) => {
            forks.push(command);
            const { forkRunId: runId, runId: sourceRunId, mode, fromSeq = 0 } = command;
            return { runId, sourceRunId, mode, fromSeq, status: 'pending' };
          },
          forkAgain: () => Promise.resolve(undefined),
          verify: () => Promise.reject(new TypeError('nothing is verified here')),
          diff: () => Promise.reject(new TypeError('nothing is compared here')),
        },
      },
    });
  });
  afterAll(async () => {
    await gateway.close();
    await database.drop();
  });
  beforeEach(() => {
    forks = [];
  });

  const fork = (runId: string, json: JsonObject, key = gateway.key): Promise<Answer> =>
    gateway.ask({ method: 'POST', url: `/v1/runs/${runId}:fork`, json, key });
  const branch = (runId: string, runOptionsOverlay: JsonObject, fromSeq = 1): Promise<Answer> =>
    fork(runId, { mode: 'branch', fromSeq, runOptionsOverlay });

  async function created(json: JsonObject, key = gateway.key): Promise<string> {
    return textIn((await gateway.ask({ method: 'POST', url: '/v1/runs', json, key })).body, 'runId');
  }
  const ownLoop = () =>
    created({
      workflowId: 'palimpsest-external',
      configurable: { context: { transcriptTokenBudget: 4000, keepLastTurns: 3 }, a: 1, b: 1 },
      metadata: { kept: true, changed: 1 },
      tags: ['old'],
    });

  it('is resolved against its source and told whole', async () => {
    const answer = await branch(await ownLoop(), {
      configurable: { context: { transcriptTokenBudget: 900 }, b: { c: 2 } },
      tags: ['new'],
      metadata: { changed: 2 },
    });
    expect(answer).toMatchObject({ status: 201, body: { status: 'pending', mode: 'branch' } });
    expect(forks[0]?.overlay).toEqual({
      context: {
        transcriptTokenBudget: 900,
        tokenCounter: 'o200k_base',
        keepLastTurns: 3,
        strategy: 'sliding-window',
      },
      configurable: { a: 1, b: { c: 2 } },
      tags: ['new'],
      metadata: { kept: true, changed: 2 },
    });
  });

  it('says nothing of what is not named, and nothing at all where nothing is', async () => {
    const run = await ownLoop();
    await branch(run, { tags: [] });
    expect(forks[0]?.overlay).toEqual({ tags: [] });
    await branch(run, {});
    await branch(run, { configurable: { context: {} } });
    await fork(run, { mode: 'replay', runOptionsOverlay: {} });
    expect(forks.slice(1).map((command) => 'overlay' in command)).toEqual([false, false, false]);
  });

  it('keeps no secret that is known as one', async () => {
    const secret = `sk-ant-api03-${'x'.repeat(40)}`;
    await branch(await ownLoop(), {
      configurable: { note: secret },
      metadata: { note: secret },
      tags: [secret],
    });
    expect(forks).toHaveLength(1);
    expect(JSON.stringify(forks)).not.toContain(secret);
  });

  it.each<[string, JsonObject, string]>([
    ['another member', { inputs: {} }, 'validation_error'],
    ['no object', { configurable: [] }, 'validation_error'],
    ['another key of its context', { configurable: { context: { budget: 1 } } }, 'validation_error'],
    [
      'more than the host gives',
      { configurable: { context: { transcriptTokenBudget: 100_001 } } },
      'validation_error',
    ],
    [
      'what its budget cannot hold',
      { configurable: { context: { transcriptTokenBudget: 20 } } },
      'context_budget_infeasible',
    ],
    ['a reserved key of another kind', { configurable: { temperature: 'hot' } }, 'validation_error'],
    ['a tag too long', { tags: ['t'.repeat(257)] }, 'validation_error'],
  ])('is refused for %s, and nothing is forked', async (_what, overlay, code) => {
    const answer = await branch(await ownLoop(), overlay);
    expect(answer).toMatchObject({ status: 400, body: { error: code } });
    expect(forks).toEqual([]);
  });

  it('is refused where its event would be too large, though each part is not', async () => {
    const large = { text: 'x'.repeat(40_000) };
    const answer = await branch(await ownLoop(), { configurable: large, metadata: large });
    expect(answer).toMatchObject({ status: 413, body: { error: 'payload_too_large' } });
    const grown = await branch(await created({ workflowId: 'palimpsest-external', metadata: large }), {
      metadata: { more: 'x'.repeat(20_000) },
    });
    expect(grown).toMatchObject({ status: 400, body: { error: 'validation_error' } });
    expect(forks).toEqual([]);
  });

  it('has room left for what is counted beside it in another unit', async () => {
    const run = await ownLoop();
    const context = { tokenCounter: 'chars', transcriptTokenBudget: 4000 };
    const sized = (length: number) => ({
      configurable: { context, large: 'x'.repeat(20_000) },
      metadata: { large: 'x'.repeat(length) },
    });
    await branch(run, sized(0));
    const besides = JSON.stringify(forks[0]?.overlay).length;
    const most = PAYLOAD_BYTES - RECOUNTED_BYTES;
    expect(await branch(run, sized(most - besides))).toMatchObject({ status: 201 });
    expect(JSON.stringify(forks[1]?.overlay)).toHaveLength(most);
    expect(await branch(run, sized(most - besides + 1))).toMatchObject({
      status: 413,
      body: { error: 'payload_too_large' },
    });
    expect(forks).toHaveLength(2);
  });

  it('is told with a digest of what was asked, the same for the same', async () => {
    const run = await ownLoop();
    await branch(run, { configurable: { context: { transcriptTokenBudget: 900 }, a: 2 }, tags: ['new'] });
    await branch(run, { tags: ['new'], configurable: { a: 2, context: { transcriptTokenBudget: 900 } } });
    await branch(run, { configurable: { context: { transcriptTokenBudget: 900 }, a: 3 }, tags: ['new'] });
    const [one, same, other] = forks.map(({ overlayDigest }) => overlayDigest);
    expect(one).toMatch(/^[0-9a-f]{64}$/);
    expect([same === one, other === one]).toEqual([true, false]);
    await branch(run, {});
    expect(forks[3]).not.toHaveProperty('overlayDigest');
  });

  it('of a workflow is checked against its schema, and has its bounds again', async () => {
    const run = await created({ workflowId: 'looped', configurable: { mood: 'calm' } });
    for (const configurable of [{ colour: 'red' }, { mood: 1 }, { recursionLimit: 0 }])
      expect(await branch(run, { configurable })).toMatchObject({ status: 400 });
    expect(forks).toEqual([]);
    const inOtherUnit = await branch(run, { configurable: { context: { tokenCounter: 'chars' } } });
    expect(inOtherUnit).toMatchObject({ status: 400, body: { error: 'validation_error' } });
    await branch(run, { configurable: { mood: 'gay', context: { transcriptTokenBudget: 2000 } } });
    expect(forks[0]?.overlay).toMatchObject({
      context: { transcriptTokenBudget: 2000, tokenCounter: 'o200k_base' },
      configurable: { mood: 'gay' },
      bounds: { maxNodeExecutions: 1000, maxRunDurationMs: 3_600_000 },
    });
    const plain = await created({ workflowId: 'plain' });
    await branch(plain, { configurable: { recursionLimit: 7, model: 'm' } });
    expect(forks[1]?.overlay).toEqual({
      configurable: { recursionLimit: 7, model: 'm' },
      bounds: { maxNodeExecutions: 7, maxRunDurationMs: 3_600_000 },
    });
  });

  it('asks for the provider mock with a test key only', async () => {
    const workflow = { workflowId: 'plain' };
    const overlay = { configurable: { mockProvider: { id: 'm' } } };
    const refused = await branch(await created(workflow), overlay);
    expect(refused).toMatchObject({ body: { error: 'mock_provider_forbidden' } });
    const testKey = await gateway.newKey('testers', undefined, 'test');
    const json = { mode: 'branch', fromSeq: 1, runOptionsOverlay: overlay };
    expect(await fork(await created(workflow, testKey), json, testKey)).toMatchObject({ status: 201 });
  });

  it('is laid over the settings in force at its fork point, not over those of the source’s head', async () => {
    const source = await ownLoop();
    const { eventLog } = gateway.ports;
    const before = await eventLog.header('acme', source);
    const overlaid = 'run_overlaid';
    const origin = { runId: source, fromSequence: 1, mode: 'branch' as const };
    const context = { ...(before?.state['context'] as JsonObject), transcriptTokenBudget: 777 };
    const state = { ...before?.state, context, metadata: { later: true } };
    await eventLog.fork({ tenantId: 'acme', runId: overlaid, origin, at: AT, status: 'running', state });
    await eventLog.append({
      tenantId: 'acme',
      runId: overlaid,
      expectedHead: 0,
      at: AT,
      events: [{ type: RUN_OVERLAID, payload: { context }, schemaVersion: 1 }],
    });
    const overlay = { configurable: { context: { strategy: 'none' } }, metadata: { mine: 1 } };
    await branch(overlaid, overlay, 2);
    await branch(overlaid, overlay, 1);
    expect(forks.map((command) => command.overlay)).toMatchObject([
      { context: { transcriptTokenBudget: 777 }, metadata: { later: true, mine: 1 } },
      { context: { transcriptTokenBudget: 4000 }, metadata: { kept: true, changed: 1, mine: 1 } },
    ]);
  });
});
