import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import type { RacePoints } from '@palimpsest/kernel';
import { waitUntil } from '@palimpsest/kernel/testing';
import {
  FORK_COMPLETE,
  FORK_LINKED,
  FORK_ROW_WRITTEN,
  JOB_RECORDED,
  PAGE_READ,
  PAGE_WRITTEN,
} from '@palimpsest/replay-coordinator';
import { MIGRATIONS, PostgresNode, type Answer, type NodeOptions } from './postgres-node.js';
import { eventsOverHttp, sourceOverHttp } from './source-over-http.js';

const TENANT = 'acme';
/** Nothing was done under the claimed key; and: all was done, and the answer is not kept. */
const KEY_CLAIMED = 'gateway.idempotency.key-claimed';
const WORK_DONE = 'gateway.idempotency.work-done';
/** A lease of the dead is over before the next request. */
const LEASE_MS = 1;

let database: TestDatabase;
let source: string;
let recorded: readonly object[];
let nodes: PostgresNode[] = [];
let keys = 0;

beforeAll(async () => {
  database = await createTestDatabase(MIGRATIONS);
  const node = await PostgresNode.start(database.pool, TENANT);
  source = await sourceOverHttp(node, 6);
  recorded = (await eventsOverHttp(node, source)).map(factsOf);
  await node.close();
});
afterAll(() => database.drop());
beforeEach(() => {
  keys += 1;
});
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.close()));
  nodes = [];
});

async function started(options: NodeOptions = {}): Promise<PostgresNode> {
  const node = await PostgresNode.start(database.pool, TENANT, { leaseMs: LEASE_MS, ...options });
  nodes.push(node);
  return node;
}

const fork = (node: PostgresNode, json: object = { mode: 'replay' }): Promise<Answer> =>
  node.ask({ url: `/v1/runs/${source}:fork`, json, idempotencyKey: `key-${keys}` });

type Event = Awaited<ReturnType<typeof eventsOverHttp>>[number];

function factsOf({ type, sequence, payload, nodeId }: Event): object {
  return { type, sequence, payload, nodeId };
}

/** Dies at a point: whoever comes there is answered nothing that helps, and goes no further. */
function killedAt(point: string): RacePoints {
  return {
    reach: (name) => (name === point ? Promise.reject(new Error(`killed at ${name}`)) : Promise.resolve()),
  };
}

/** Stands still at a point until it is let go, as a process that is suspended does. */
function heldAt(point: string): RacePoints & { readonly arrived: Promise<void>; letGo(): void } {
  let arrive: () => void = () => undefined;
  let letGo: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const released = new Promise<void>((resolve) => (letGo = resolve));
  const reach = async (name: string): Promise<void> => {
    if (name !== point) return;
    arrive();
    await released;
  };
  return { reach, arrived, letGo: () => letGo() };
}

async function forksThere(): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ run_id: string }>(
    'SELECT fork_run_id AS run_id FROM replay_coordinator.fork_jobs ORDER BY 1',
  );
  return rows.map(({ run_id }) => run_id);
}

async function runsThere(): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ run_id: string }>(
    'SELECT run_id FROM run_log.runs ORDER BY 1',
  );
  return rows.map(({ run_id }) => run_id);
}

/** Asks until an answer comes: a lease may have to run out, and who was killed may have left work half done. */
async function answered(node: PostgresNode, json?: object): Promise<Answer> {
  let answer: Answer | undefined;
  await waitUntil(async () => {
    answer = await fork(node, json);
    return answer.status === 201;
  });
  return answer as Answer;
}

/** One fork more than before, whole, its job closed, and the same for whoever asks again. */
async function expectOneFork(before: readonly string[], node: PostgresNode, { body }: Answer): Promise<void> {
  const runId = body['runId'] as string;
  await waitUntil(async () => (await openJobs()) === 0);
  expect((await runsThere()).filter((run) => !before.includes(run))).toEqual([runId]);
  expect((await forksThere()).filter((run) => !before.includes(run))).toEqual([runId]);
  expect((await eventsOverHttp(node, runId)).map(factsOf)).toEqual(recorded);
  const again = await fork(node);
  expect(again.replayed).toBe(true);
  expect(again.body).toEqual(body);
  const { body: verification } = await node.ask({ method: 'GET', url: `/v1/runs/${runId}/verification` });
  expect(verification).toMatchObject({ ok: true, summarizerCalls: 0 });
}

async function openJobs(): Promise<number> {
  const { rows } = await database.pool.query<{ open: number }>(
    'SELECT count(*)::int AS open FROM replay_coordinator.fork_jobs WHERE closed_at IS NULL',
  );
  return rows[0]?.open ?? -1;
}

describe('one fork for one key', () => {
  it('where it is sent to two gateways at once', async () => {
    const before = await runsThere();
    const [one, other] = [await started({ leaseMs: 60_000 }), await started({ leaseMs: 60_000 })];
    const answers = await Promise.all([fork(one), fork(other)]);
    const done = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(done.length).toBeGreaterThan(0);
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 409));
    expect(new Set(done.map(({ body }) => body['runId'])).size).toBe(1);
    await expectOneFork(before, other, done[0] as Answer);
  });

  it('where its gateway died with the key in hand, and nothing done', async () => {
    const before = await runsThere();
    const dead = await started({ gatewayRaces: killedAt(KEY_CLAIMED) });
    expect((await fork(dead)).status).toBe(500);
    expect(await runsThere()).toEqual(before);
    const next = await started();
    await expectOneFork(before, next, await answered(next));
  });

  it('where its gateway stood still with the fork made, and comes back too late', async () => {
    const before = await runsThere();
    const held = heldAt(WORK_DONE);
    const suspended = await started({ gatewayRaces: held });
    const late = fork(suspended);
    await held.arrived;
    const next = await started();
    const answer = await answered(next);
    await expectOneFork(before, next, answer);
    held.letGo();
    expect((await late).body).toEqual(answer.body);
    await expectOneFork(before, next, answer);
  });

  it.each([JOB_RECORDED, FORK_ROW_WRITTEN, FORK_LINKED, PAGE_READ, PAGE_WRITTEN, FORK_COMPLETE])(
    'where its coordinator was killed at %s: the same request, to another one, finishes it',
    async (point) => {
      const before = await runsThere();
      const killed = await started({ races: killedAt(point) });
      expect((await fork(killed)).status).toBe(500);
      expect((await forksThere()).filter((run) => !before.includes(run))).toHaveLength(1);
      const next = await started();
      await expectOneFork(before, next, await answered(next));
    },
  );

  it.each([JOB_RECORDED, FORK_ROW_WRITTEN, FORK_LINKED, PAGE_READ, PAGE_WRITTEN, FORK_COMPLETE])(
    'where its coordinator was killed at %s: nobody asks again, and the next one finishes it at its start',
    async (point) => {
      const before = await runsThere();
      const killed = await started({ races: killedAt(point) });
      expect((await fork(killed)).status).toBe(500);
      const next = await started();
      await waitUntil(async () => (await openJobs()) === 0);
      const [runId = ''] = (await runsThere()).filter((run) => !before.includes(run));
      expect((await eventsOverHttp(next, runId)).map(factsOf)).toEqual(recorded);
      await expectOneFork(before, next, await answered(next));
    },
  );
});

describe('a branch with an overlay', () => {
  const asked = (transcriptTokenBudget: number) => ({
    mode: 'branch',
    fromSeq: 3,
    runOptionsOverlay: { configurable: { context: { transcriptTokenBudget } }, tags: ['branch'] },
  });

  it.each([JOB_RECORDED, FORK_LINKED, FORK_COMPLETE])(
    'that was allowed before its coordinator was killed at %s is made on a host that would refuse it by now',
    async (point) => {
      const before = await runsThere();
      const killed = await started({ races: killedAt(point) });
      expect((await fork(killed, asked(900))).status).toBe(500);
      await killed.close();
      const next = await started({ maxBudget: 400 });
      const { body } = await answered(next, asked(900));
      const runId = body['runId'] as string;
      expect((await runsThere()).filter((run) => !before.includes(run))).toEqual([runId]);
      expect((await eventsOverHttp(next, runId))[3]).toMatchObject({
        type: 'palimpsest.run.overlaid',
        payload: { context: { transcriptTokenBudget: 900 }, tags: ['branch'] },
      });
      keys += 1;
      expect(await fork(next, asked(900))).toMatchObject({
        status: 400,
        body: { error: 'validation_error' },
      });
      keys += 1;
    },
  );
});

describe('a command that is delivered again', () => {
  it.each([JOB_RECORDED, FORK_ROW_WRITTEN, FORK_LINKED, PAGE_READ, PAGE_WRITTEN, FORK_COMPLETE])(
    'while the first delivery stands still at %s makes no second fork',
    async (point) => {
      const before = await runsThere();
      const held = heldAt(point);
      const [first, second] = [await started({ races: held }), await started()];
      const forkRunId = `run_delivered_${keys}`;
      const command = { tenantId: TENANT, runId: source, forkRunId, mode: 'replay' as const };
      const late = first.forks.fork(command);
      await held.arrived;
      const answer = await second.forks.fork(command);
      held.letGo();
      expect(await late).toEqual(answer);
      await waitUntil(async () => (await openJobs()) === 0);
      expect((await runsThere()).filter((run) => !before.includes(run))).toEqual([forkRunId]);
      expect((await eventsOverHttp(second, forkRunId)).map(factsOf)).toEqual(recorded);
    },
  );

  it('to many coordinators at once makes one', async () => {
    const before = await runsThere();
    const crowd = await Promise.all([started(), started(), started()]);
    const forkRunId = `run_crowd_${keys}`;
    const command = { tenantId: TENANT, runId: source, forkRunId, mode: 'branch' as const, fromSeq: 7 };
    const answers = await Promise.all([...crowd, ...crowd].map(({ forks }) => forks.fork(command)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect((await runsThere()).filter((run) => !before.includes(run))).toEqual([forkRunId]);
  });
});

describe('a key that was answered', () => {
  it('is refused for another fork', async () => {
    const node = await started();
    await fork(node, { mode: 'branch', fromSeq: 3 });
    const before = await runsThere();
    const { status, body } = await fork(node, { mode: 'branch', fromSeq: 4 });
    expect([status, body['error']]).toEqual([409, 'idempotency_key_mismatch']);
    expect(await runsThere()).toEqual(before);
  });

  it('stays answered where the source has lost a summary since', async () => {
    const node = await started();
    const own = await sourceOverHttp(node, 6);
    const ask = () =>
      node.ask({ url: `/v1/runs/${own}:fork`, json: { mode: 'replay' }, idempotencyKey: `key-${keys}` });
    const first = await ask();
    for (const runId of [own, first.body['runId'] as string])
      await node.ask({ method: 'DELETE', url: `/v1/runs/${runId}/content` });
    const again = await ask();
    expect([again.status, again.replayed, again.body]).toEqual([201, true, first.body]);
  });
});
