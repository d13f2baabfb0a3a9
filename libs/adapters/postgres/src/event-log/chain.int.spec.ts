import type { RecordedEvent } from '@palimpsest/contracts';
import { firstBrokenLink, type AppendRequest } from '@palimpsest/kernel';
import { nodeContentHash } from '../artifact-store/node-content-hash.js';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.js';
import { runLogMigrations } from './migrations.js';
import { PostgresEventLog } from './postgres-event-log.js';

const TENANT = 'tenant';
const noted = (note: number, causationId?: string) => ({
  type: 'test.noted',
  payload: { note },
  schemaVersion: 1,
  nodeId: 'node',
  counts: { o200k_base: 1, cl100k_base: 2, chars: 3 },
  ...(causationId !== undefined && { causationId }),
});

describe('the chain in the schema run_log', () => {
  let database: TestDatabase;
  let log: PostgresEventLog;
  let runs = 0;
  beforeAll(async () => {
    database = await createTestDatabase([runLogMigrations]);
    log = new PostgresEventLog(database.pool);
  });
  afterAll(() => database.drop());

  async function startRun(rest: Partial<AppendRequest> = {}): Promise<string> {
    const runId = `run-${(runs += 1)}`;
    const events = [noted(0), noted(1), noted(2, `evt-${runId}-1`), noted(3)];
    const start = {
      tenantId: TENANT,
      runId,
      expectedHead: 'no-run',
      workflowId: 'w',
      at: new Date(0),
    } as const;
    await log.append({ ...start, events, ...rest });
    return runId;
  }

  /** As somebody could who owns the database. */
  async function tamper(statement: string, runId: string): Promise<void> {
    await database.pool.query('ALTER TABLE run_log.events DISABLE TRIGGER append_only');
    await database.pool.query(statement, [runId]);
    await database.pool.query('ALTER TABLE run_log.events ENABLE TRIGGER append_only');
  }

  async function events(runId: string): Promise<readonly RecordedEvent[]> {
    return (await log.readRun({ tenantId: TENANT, runId, fromSequence: 0, withChain: true })).events;
  }

  async function brokenLink(runId: string) {
    const run = await log.header(TENANT, runId);
    return run && firstBrokenLink(nodeContentHash, { run, ancestors: [], events: await events(runId) });
  }

  const makeOld = async (runId: string) => {
    await tamper('UPDATE run_log.events SET content_hash = NULL, link = NULL WHERE run_id = $1', runId);
    await tamper('UPDATE run_log.runs SET link = NULL WHERE run_id = $1', runId);
  };

  it.each([
    ["payload = '{}'", 'content'],
    ["type = 'test.other'", 'content'],
    ['node_id = NULL', 'content'],
    ['schema_version = 2', 'content'],
    ['tokens_chars = 4', 'content'],
    ['tokens_chars = NULL', 'content'],
    ["recorded_at = recorded_at + interval '1 ms'", 'link'],
    ['causation_id = NULL', 'link'],
    ["causation_id = 'evt-other-1'", 'link'],
    ["content_hash = sha256('')", 'content'],
    ["link = sha256('')", 'link'],
    ['link = NULL', 'unchained'],
  ])('breaks where a row is changed: %s', async (change, what) => {
    const runId = await startRun();
    expect(await brokenLink(runId)).toBeUndefined();
    await tamper(`UPDATE run_log.events SET ${change} WHERE run_id = $1 AND sequence = 2`, runId);
    expect(await brokenLink(runId)).toEqual({ sequence: 2, what });
  });

  it('breaks where a row is gone, the last one, or the head of the run', async () => {
    const [middle, last, head] = [await startRun(), await startRun(), await startRun()];
    await tamper('DELETE FROM run_log.events WHERE run_id = $1 AND sequence = 1', middle);
    await tamper('DELETE FROM run_log.events WHERE run_id = $1 AND sequence = 3', last);
    await tamper("UPDATE run_log.runs SET link = sha256('') WHERE run_id = $1", head);
    expect(await brokenLink(middle)).toEqual({ sequence: 1, what: 'sequence' });
    expect(await brokenLink(last)).toEqual({ sequence: 3, what: 'head' });
    expect(await brokenLink(head)).toEqual({ sequence: 4, what: 'head' });
  });

  it('is not there for a run from before, nor for what it goes on with', async () => {
    const runId = await startRun();
    await makeOld(runId);
    await log.append({ tenantId: TENANT, runId, expectedHead: 3, events: [noted(4)], at: new Date(0) });
    const branch = { runId, fromSequence: 4, mode: 'branch' } as const;
    await log.fork({
      tenantId: TENANT,
      runId: 'late',
      origin: branch,
      at: new Date(0),
      status: 'running',
      state: {},
    });
    for (const [id, size] of [
      [runId, 5],
      ['late', 4],
    ] as const) {
      expect(await log.header(TENANT, id)).not.toHaveProperty('link');
      expect((await events(id)).map(({ chain }) => chain)).toEqual(Array.from({ length: size }));
      expect(await brokenLink(id)).toEqual({ sequence: 0, what: 'unchained' });
    }
  });

  it('takes no event without a content hash from a run from before', async () => {
    const runId = await startRun();
    await makeOld(runId);
    const replay = { runId, fromSequence: 0, mode: 'replay' } as const;
    const fork = { tenantId: TENANT, runId: 'replayed', at: new Date(0) };
    await log.fork({ ...fork, origin: replay, status: 'running', state: {} });
    const range = { fromRunId: runId, fromSequence: 0, toSequence: 3 };
    expect(await log.reEmit({ ...fork, ...range })).toBe(false);
    expect(await log.header(TENANT, 'replayed')).toMatchObject({ head: -1 });
    await log.append({
      ...fork,
      expectedHead: -1,
      events: (await events(runId)).map(({ payload }) => noted(Number(payload['note']))),
    });
    expect(await brokenLink('replayed')).toBeUndefined();
  });
});
