import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import type { ForkRun, JsonObject } from '@palimpsest/contracts';
import { gatewayMigrations } from '../store/migrations.js';
import { startGateway, textIn, type Answer, type GatewayHarness } from '../testing/gateway-harness.js';

const REFUSED = { error: 'validation_error', details: { field: 'configurable.model' } };

describe('a wish for a model', () => {
  let database: TestDatabase;
  let gateway: GatewayHarness;
  let forks: ForkRun[];

  beforeAll(async () => {
    database = await createTestDatabase([gatewayMigrations]);
  });
  afterAll(() => database.drop());
  afterEach(() => gateway.close());

  async function start(options: Parameters<typeof startGateway>[1]): Promise<void> {
    forks = [];
    const fork = (command: ForkRun) => {
      forks.push(command);
      const { forkRunId: runId, runId: sourceRunId, mode, fromSeq = 0 } = command;
      return Promise.resolve({ runId, sourceRunId, mode, fromSeq, status: 'pending' as const });
    };
    const unasked = () => Promise.reject(new TypeError('asked for'));
    gateway = await startGateway(database.pool, {
      ...options,
      ports: { forks: { fork, forkAgain: unasked, verify: unasked, diff: unasked } },
    });
  }

  const create = (json: JsonObject): Promise<Answer> =>
    gateway.ask({ method: 'POST', url: '/v1/runs', json: { workflowId: 'plain', ...json } });

  it('is good for one that the host asks, and refused before anything is made for another', async () => {
    await start({ models: ['m-1', 'm-2'] });
    for (const model of ['m-1', 'm-2']) {
      expect((await create({ configurable: { model } })).status).toBe(201);
      expect(gateway.runLog.engine.started.at(-1)).toMatchObject({ configurable: { model } });
    }
    expect(await create({ configurable: { model: 'm-3' } })).toMatchObject({ status: 400, body: REFUSED });
    expect(gateway.runLog.engine.started).toHaveLength(2);
  });

  it('is nobody’s concern where the loop is the caller’s', async () => {
    await start({ models: ['m-1'] });
    const own = await create({ workflowId: 'palimpsest-external', configurable: { model: 'm-3' } });
    expect(own.status).toBe(201);
  });

  it('goes through where the gateway was not told which there are', async () => {
    await start({});
    expect((await create({ configurable: { model: 'm-3' } })).status).toBe(201);
  });

  it('is held to the same on a branch', async () => {
    await start({ models: ['m-1', 'm-2'] });
    const runId = textIn((await create({})).body, 'runId');
    const branch = (model: string) =>
      gateway.ask({
        method: 'POST',
        url: `/v1/runs/${runId}:fork`,
        json: { mode: 'branch', fromSeq: 1, runOptionsOverlay: { configurable: { model } } },
      });
    expect((await branch('m-2')).status).toBe(201);
    expect(forks.at(-1)?.overlay).toMatchObject({ configurable: { model: 'm-2' } });
    expect(await branch('m-3')).toMatchObject({ status: 400, body: REFUSED });
    expect(forks).toHaveLength(1);
  });
});
