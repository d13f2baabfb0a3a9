import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { InProcessBus, MemoryStreamStore } from '@palimpsest/adapter-memory';
import { ReplayClient } from '@palimpsest/adapter-clients';
import {
  artifactStoreMigrations,
  PostgresArtifactStore,
  PostgresEventLog,
  runLogMigrations,
} from '@palimpsest/adapter-postgres';
import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { RUN_OVERLAID, type RecordedEvent, type Verification } from '@palimpsest/contracts';
import { noRacePoints, silentLogger, systemClock, type RacePoints } from '@palimpsest/kernel';
import { waitUntil } from '@palimpsest/kernel/testing';
import { FORK_ROW_WRITTEN, PAGE_WRITTEN } from './race-points.js';
import { ReplayCoordinatorModule } from './replay-coordinator.module.js';
import { replayCoordinatorMigrations } from './store/migrations.js';
import { PostgresForkJobs } from './store/postgres-fork-jobs.js';
import { killedAt } from './testing/coordinator-harness.js';
import { SOURCE, SourceRun, TENANT } from './testing/source-run.js';

const verification: Verification = {
  ok: true,
  windowsChecked: 1,
  artifactsChecked: 1,
  summarizerCalls: 0,
  windowsDigest: 'd',
};

let database: TestDatabase;
let eventLog: PostgresEventLog;
let artifacts: PostgresArtifactStore;
let source: SourceRun;
let summary: string;

beforeAll(async () => {
  database = await createTestDatabase([
    runLogMigrations,
    artifactStoreMigrations,
    replayCoordinatorMigrations,
  ]);
  eventLog = new PostgresEventLog(database.pool);
  artifacts = new PostgresArtifactStore(database.pool);
  source = new SourceRun(eventLog, artifacts);
  source.start();
  await source.message('assistant', ['a']);
  await source.message('tool', ['a'], 1);
  summary = await source.summary();
  await source.window(1, [3]);
  await source.messages(2200);
  await source.finish().write();
});
afterAll(() => database.drop());

type Process = { readonly client: ReplayClient; stop(): Promise<void> };

async function startProcess(races: RacePoints = noRacePoints): Promise<Process> {
  const bus = new InProcessBus({ store: new MemoryStreamStore() });
  const options = {
    eventLog,
    artifacts,
    bus,
    jobs: new PostgresForkJobs(database.pool),
    assembler: { verify: () => Promise.resolve(verification) },
    clock: systemClock,
    logger: silentLogger,
    races,
  };
  const app: INestApplicationContext = await NestFactory.createApplicationContext(
    ReplayCoordinatorModule.register(options),
    { logger: false, abortOnError: false },
  );
  const stop = async () => {
    await app.close();
    await bus.close();
  };
  return { client: new ReplayClient(bus), stop };
}

async function whole(runId: string): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for (let from: number | undefined = 0; from !== undefined;) {
    const page: Awaited<ReturnType<PostgresEventLog['readRun']>> = await eventLog.readRun({
      tenantId: TENANT,
      runId,
      fromSequence: from,
    });
    events.push(...page.events);
    from = page.next;
  }
  return events;
}

const facts = ({ type, payload, schemaVersion, sequence, counts }: RecordedEvent) => ({
  type,
  payload,
  schemaVersion,
  sequence,
  counts,
});

async function expectReplayed(runId: string): Promise<void> {
  await waitUntil(async () => (await eventLog.header(TENANT, runId))?.status === 'completed');
  expect((await whole(runId)).map(facts)).toEqual((await whole(SOURCE)).map(facts));
  expect(await artifacts.getForRun(TENANT, runId, summary)).toMatchObject({ artifactId: summary });
}

describe('the replay coordinator on Postgres', () => {
  it('replays and verifies over the bus', async () => {
    const { client, stop } = await startProcess();
    const command = { tenantId: TENANT, runId: SOURCE, forkRunId: 'replay-1', mode: 'replay' as const };
    expect(await client.fork(command)).toMatchObject({ runId: 'replay-1', status: 'pending', fromSeq: 0 });
    await expectReplayed('replay-1');
    expect(await client.verify({ tenantId: TENANT, runId: 'replay-1' })).toMatchObject({
      ok: true,
      summarizerCalls: 0,
      comparedWith: { runId: SOURCE, windows: 1, summaries: 1 },
    });
    await stop();
  });

  it('branches with the state as of the place', async () => {
    const { client, stop } = await startProcess();
    const command = { tenantId: TENANT, runId: SOURCE, forkRunId: 'branch-1', mode: 'branch' as const };
    await client.fork({ ...command, fromSeq: 2 });
    expect(await eventLog.header(TENANT, 'branch-1')).toMatchObject({
      status: 'running',
      head: 1,
      state: { openCalls: { a: 1 }, messageCount: 1, lastMessageSequence: 1 },
    });
    await stop();
  });

  it('branches under other settings, also where it was killed before they were recorded', async () => {
    const context = {
      transcriptTokenBudget: 900,
      tokenCounter: 'o200k_base',
      keepLastTurns: 0,
      strategy: 'none',
    } as const;
    const overlay = { context, configurable: { model: 'm' }, tags: ['branch'] };
    const forkRunId = 'overlaid-1';
    const command = {
      tenantId: TENANT,
      runId: SOURCE,
      forkRunId,
      mode: 'branch' as const,
      fromSeq: 2,
      overlay,
    };
    const killed = await startProcess(killedAt(FORK_ROW_WRITTEN));
    await expect(killed.client.fork(command)).rejects.toThrow();
    expect(await eventLog.header(TENANT, forkRunId)).toMatchObject({
      status: 'pending',
      state: { replayTarget: 2 },
    });
    await killed.stop();
    const next = await startProcess();
    await waitUntil(async () => (await eventLog.header(TENANT, forkRunId))?.status === 'running');
    const [, , overlaid] = await whole(forkRunId);
    expect(overlaid).toMatchObject({ type: RUN_OVERLAID, sequence: 2 });
    expect(overlaid?.payload).toEqual({ ...overlay, transcriptTokens: 2, instructionTokens: 0 });
    const below = {
      tenantId: TENANT,
      runId: forkRunId,
      forkRunId: 'below',
      mode: 'branch' as const,
      fromSeq: 2,
    };
    await next.client.fork(below);
    expect(await eventLog.header(TENANT, 'below')).toMatchObject({
      state: { context: { tokenCounter: 'chars' } },
    });
    await next.client.fork({ ...below, forkRunId: 'behind', fromSeq: 3 });
    expect(await eventLog.header(TENANT, 'behind')).toMatchObject({ state: { context, tags: ['branch'] } });
    await next.stop();
  });

  it.each([
    ['after the row of the fork', FORK_ROW_WRITTEN, 1],
    ['between pages', PAGE_WRITTEN, 2],
  ])('finishes at its next start a fork that was killed %s', async (_, point, time) => {
    const forkRunId = `killed-${time}`;
    const killed = await startProcess(killedAt(point, time));
    const command = { tenantId: TENANT, runId: SOURCE, forkRunId, mode: 'replay' as const };
    await expect(killed.client.fork(command)).rejects.toThrow();
    await killed.stop();
    const next = await startProcess();
    await expectReplayed(forkRunId);
    await next.stop();
  });

  it('leaves nothing of a fork whose summary was altered', async () => {
    await database.pool.query(
      `UPDATE artifact_store.artifacts SET content = set_byte(content, 12, get_byte(content, 12) # 1) WHERE artifact_id = $1`,
      [summary],
    );
    const { client, stop } = await startProcess();
    const command = { tenantId: TENANT, runId: SOURCE, forkRunId: 'refused', mode: 'replay' as const };
    await expect(client.fork(command)).rejects.toMatchObject({
      code: 'replay_context_summary_unavailable',
      details: { fromSeq: 0 },
    });
    expect(await eventLog.header(TENANT, 'refused')).toBeUndefined();
    await stop();
  });
});
