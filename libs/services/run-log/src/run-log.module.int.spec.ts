import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { InProcessBus, MemoryStreamStore } from '@palimpsest/adapter-memory';
import { BusEventLog, RunLogClient } from '@palimpsest/adapter-clients';
import { PostgresEventLog, runLogMigrations } from '@palimpsest/adapter-postgres';
import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { STREAMS, type MessageDraft, type RunEventNotice } from '@palimpsest/contracts';
import { silentLogger, systemClock } from '@palimpsest/kernel';
import { waitUntil } from '@palimpsest/kernel/testing';
import { RunLogModule } from './run-log.module.js';
import { runLogRelayMigrations } from './store/migrations.js';
import { PostgresCheckpoints } from './store/postgres-checkpoints.js';

const counts = { o200k_base: 3, cl100k_base: 4, chars: 10 };
const context = {
  transcriptTokenBudget: 400,
  tokenCounter: 'chars',
  keepLastTurns: 2,
  strategy: 'sliding-window',
} as const;

function draft(role: MessageDraft['role'], ...toolCallIds: string[]): MessageDraft {
  return { role, artifactId: `art_${'a'.repeat(32)}`, toolCallIds, counts, repaired: false };
}

let database: TestDatabase;
let bus: InProcessBus;
let app: INestApplicationContext;
let client: RunLogClient;
let runs = 0;

/** A run nobody has used. */
async function newRun(): Promise<{ tenantId: string; runId: string }> {
  const key = { tenantId: 'acme', runId: `run-${(runs += 1)}` };
  await client.createRun({ ...key, workflowId: 'palimpsest-external', context });
  return key;
}

async function startProcess(): Promise<void> {
  const options = {
    eventLog: new PostgresEventLog(database.pool, { pollIntervalMs: 10 }),
    bus,
    clock: systemClock,
    logger: silentLogger,
    checkpoints: new PostgresCheckpoints(database.pool),
  };
  app = await NestFactory.createApplicationContext(RunLogModule.register(options), {
    logger: false,
    abortOnError: false,
  });
}

beforeAll(async () => {
  database = await createTestDatabase([runLogMigrations, runLogRelayMigrations]);
  bus = new InProcessBus({ store: new MemoryStreamStore() });
  client = new RunLogClient(bus);
  await startProcess();
});
afterAll(async () => {
  await app.close();
  await bus.close();
  await database.drop();
});

describe('the run log on Postgres', () => {
  it('pairs results with calls over several requests', async () => {
    const key = await newRun();
    await client.appendMessages({ ...key, messages: [draft('user'), draft('assistant', 'a', 'b')] });
    await client.appendMessages({ ...key, messages: [draft('tool', 'b')] });
    const { events } = await new BusEventLog(bus).readRun({ ...key, fromSequence: 3 });
    expect(events[0]).toMatchObject({ causationId: `evt-${key.runId}-2`, counts });
    await expect(client.appendMessages({ ...key, messages: [draft('tool', 'b')] })).rejects.toMatchObject({
      code: 'tool_result_without_call',
    });
  });

  it('answers commands sent again, whatever came after', async () => {
    const key = { tenantId: 'acme', runId: 'run-again' };
    const create = { ...key, workflowId: 'palimpsest-external', context, commandId: 'c-0' };
    const append = { ...key, messages: [draft('assistant', 'a')], expectedSequence: -1, commandId: 'c-1' };
    const finish = { ...key, commandId: 'c-2' };
    const first = [
      await client.createRun(create),
      await client.appendMessages(append),
      await client.finishRun(finish),
    ];
    const again = [
      await client.createRun(create),
      await client.appendMessages(append),
      await client.finishRun(finish),
    ];
    expect(again).toEqual(first);
  });

  it('gives writers at once their places, and one winner to those who expect the same', async () => {
    const key = await newRun();
    const message = { ...key, messages: [draft('user')] };
    const places = await Promise.all(Array.from({ length: 8 }, () => client.appendMessages(message)));
    expect(new Set(places.map(({ firstSequence }) => firstSequence)).size).toBe(8);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => client.appendMessages({ ...message, expectedSequence: 8 })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('starts an executed run once, tells the orchestrator, and cancels it once', async () => {
    const jobs: unknown[] = [];
    const consumer = await bus.consume({ stream: STREAMS.advance, durable: 'spec' }, ({ body }) => {
      jobs.push(body);
      return Promise.resolve();
    });
    const key = { tenantId: 'acme', runId: 'run-executed' };
    const command = {
      ...key,
      workflowId: 'w',
      workflowDigest: 'd'.repeat(64),
      inputs: {},
      defaults: {},
      bounds: { maxNodeExecutions: 1, maxRunDurationMs: 1000 },
      commandId: 'c-1',
    };
    const answers = await Promise.all([1, 2, 3, 4].map(() => client.startWorkflow(command)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['pending']));
    await waitUntil(() => jobs.length > 0);
    const cancellations = await Promise.all([1, 2, 3, 4].map(() => client.cancelRun(key)));
    expect(new Set(cancellations.map(({ status }) => status))).toEqual(new Set(['cancelled']));
    const { events } = await new BusEventLog(bus).readRun({ ...key, fromSequence: 0 });
    expect(events.map(({ type }) => type)).toEqual(['run.started', 'run.cancelled']);
    expect(jobs).toEqual([key]);
    await consumer.close();
  });

  it('relays what is committed, over a restart, once', async () => {
    const delivered: string[] = [];
    await bus.consume({ stream: STREAMS.runEvents, durable: 'spec', concurrency: 10 }, (delivery) => {
      delivered.push((delivery.body as unknown as RunEventNotice).eventId);
      return Promise.resolve();
    });
    const key = await newRun();
    await waitUntil(() => delivered.includes(`evt-${key.runId}-0`));
    await app.close();
    await new PostgresEventLog(database.pool).append({
      ...key,
      expectedHead: 0,
      events: [{ type: 'test.noted', payload: {}, schemaVersion: 1 }],
      at: new Date(),
    });
    await startProcess();
    await waitUntil(() => delivered.includes(`evt-${key.runId}-1`));
    expect(new Set(delivered).size).toBe(delivered.length);
  });
});
