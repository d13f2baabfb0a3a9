import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import type { DiffRuns, RunDiff } from '@palimpsest/contracts';
import { NotFoundError } from '@palimpsest/kernel';
import { gatewayMigrations } from '../store/migrations.js';
import { startGateway, textIn, type Answer, type GatewayHarness } from '../testing/gateway-harness.js';

const asked: DiffRuns[] = [];
const nothing = { fedTokens: 0, unboundedTokens: 0, notResentTokens: 0 };
const side = {
  workflowId: 'w',
  status: 'running',
  events: 1,
  windows: 0,
  tokens: nothing,
  summaries: 0,
} as const;

/** Knows what it was asked. */
async function diff(query: DiffRuns): Promise<RunDiff> {
  asked.push(query);
  return {
    identical: true,
    relation: { kind: 'unrelated', sharedEvents: 0 },
    run: { runId: query.runId, ...side },
    other: { runId: query.otherRunId, ...side },
    windows: [],
    fedTokensSaved: null,
  };
}

let database: TestDatabase;
let gateway: GatewayHarness;
let one: string;
let two: string;
let foreignKey: string;
let foreign: string;

beforeAll(async () => {
  database = await createTestDatabase([gatewayMigrations]);
  const unused = () => Promise.reject(new NotFoundError('Nothing of this'));
  gateway = await startGateway(database.pool, {
    ports: { forks: { fork: unused, forkAgain: unused, verify: unused, diff } },
  });
  [one, two] = [await gateway.newRun(), await gateway.newRun()];
  foreignKey = await gateway.newKey('other');
  const json = { workflowId: 'palimpsest-external', configurable: { context: {} } };
  foreign = textIn(
    (await gateway.ask({ method: 'POST', url: '/v1/runs', json, key: foreignKey })).body,
    'runId',
  );
});
afterAll(async () => {
  await gateway.close();
  await database.drop();
});
beforeEach(() => asked.splice(0));

const get = (run: string, query: string, key = gateway.key): Promise<Answer> =>
  gateway.ask({ method: 'GET', url: `/v1/runs/${run}/diff${query}`, key });

describe('GET /v1/runs/{runId}/diff', () => {
  it('asks for the two runs of the tenant, and a page', async () => {
    const { status, body } = await get(one, `?with=${two}&fromIteration=3&limit=7`);
    expect([status, body['identical']]).toEqual([200, true]);
    expect(asked).toEqual([{ tenantId: 'acme', runId: one, otherRunId: two, fromIteration: 3, limit: 7 }]);
  });

  it('takes a run with itself, and runs of any kind', async () => {
    const json = { workflowId: 'plain' };
    const workflow = await gateway.ask({ method: 'POST', url: '/v1/runs', json });
    expect((await get(one, `?with=${one}`)).status).toBe(200);
    expect((await get(textIn(workflow.body, 'runId'), `?with=${one}`)).status).toBe(200);
    expect(asked).toHaveLength(2);
  });

  it('answers another tenant’s run like one that is not there, whichever of the two it is', async () => {
    for (const [run, other] of [
      [one, foreign],
      [foreign, one],
      [one, 'run_nowhere'],
      ['run_nowhere', one],
      [one, 'no%20run'],
    ] as const) {
      const { status, body } = await get(run, `?with=${other}`);
      expect([status, body['error'], body['message']]).toEqual([404, 'not_found', 'The run was not found.']);
    }
    expect(asked).toEqual([]);
  });

  it.each([
    ['', 'query.with'],
    ['?with=a&with=b', 'query.with'],
    ['?with=RUN&limit=0', 'query.limit'],
    ['?with=RUN&limit=501', 'query.limit'],
    ['?with=RUN&fromIteration=0', 'query.fromIteration'],
    ['?with=RUN&fromIteration=1.5', 'query.fromIteration'],
  ])('refuses %s and names the field', async (query, field) => {
    const { status, body } = await get(one, query.replace('RUN', two));
    expect([status, body['error'], body['details']]).toEqual([400, 'validation_error', { field }]);
  });

  it('needs runs:read only', async () => {
    const reader = await gateway.newKey('acme', ['runs:read']);
    expect((await get(one, `?with=${two}`, reader)).status).toBe(200);
    const creator = await gateway.newKey('acme', ['runs:create']);
    expect((await get(one, `?with=${two}`, creator)).status).toBe(403);
  });
});
