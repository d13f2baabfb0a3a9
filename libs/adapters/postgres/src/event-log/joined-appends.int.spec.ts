import { hasCode, type AppendRequest, type EventLog } from '@palimpsest/kernel';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.js';
import { runLogMigrations } from './migrations.js';
import { PostgresEventLog } from './postgres-event-log.js';

const RUNS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const STEPS = 4;

const event = { type: 'test.noted', payload: {}, schemaVersion: 1 };

const request = (runId: string, rest: Partial<AppendRequest> = {}): AppendRequest => ({
  tenantId: 'tenant',
  runId,
  expectedHead: 0,
  events: [event],
  at: new Date(0),
  ...rest,
});

const start = (runId: string) => request(runId, { expectedHead: 'no-run', workflowId: 'w' });

async function headOf(log: EventLog, runId: string): Promise<number> {
  return (await log.header('tenant', runId))?.head ?? -1;
}

/** Appends, at whatever head there is by then. */
async function insist(log: EventLog, runId: string): Promise<void> {
  for (;;) {
    try {
      await log.append(request(runId, { expectedHead: await headOf(log, runId) }));
      return;
    } catch (error) {
      if (!hasCode(error, 'sequence_conflict')) throw error;
    }
  }
}

describe('appends that share a statement', () => {
  let database: TestDatabase;
  let log: EventLog;
  beforeAll(async () => {
    database = await createTestDatabase([runLogMigrations]);
    log = new PostgresEventLog(database.pool);
    await Promise.all(RUNS.map((runId) => log.append(start(runId))));
  });
  afterAll(() => database.drop());

  it('wait for those of other processes, and never in a circle', async () => {
    const processes = [RUNS, RUNS.toReversed(), RUNS.toSorted(() => -1)].map((runs) => ({
      runs,
      log: new PostgresEventLog(database.pool),
    }));
    await Promise.all(
      processes.map(async (one) => {
        for (let step = 0; step < STEPS; step += 1) {
          await Promise.all(one.runs.map((runId) => insist(one.log, runId)));
        }
      }),
    );
    for (const runId of RUNS) {
      expect(await headOf(log, runId)).toBe(processes.length * STEPS);
      const { events } = await log.readRun({ tenantId: 'tenant', runId, fromSequence: 0 });
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index));
    }
  });

  it('conflict, repeat a command, start a run or are refused each on its own', async () => {
    const head = await headOf(log, 'a');
    await log.append(request('b', { expectedHead: head, commandId: 'once' }));
    const outcomes = await Promise.allSettled([
      log.append(request('a', { expectedHead: head - 1 })),
      log.append(request('b', { expectedHead: head, commandId: 'once' })),
      log.append(request('c', { expectedHead: head, events: [event, event] })),
      log.append(start('new')),
      log.append(start('d')),
      log.append(request('e', { expectedHead: head, events: [{ ...event, schemaVersion: 2 ** 40 }] })),
      log.append(request('absent')),
    ]);
    expect(outcomes).toEqual([
      { status: 'rejected', reason: expect.objectContaining({ code: 'sequence_conflict' }) },
      { status: 'fulfilled', value: { firstSequence: head + 1, lastSequence: head + 1, repeated: true } },
      { status: 'fulfilled', value: { firstSequence: head + 1, lastSequence: head + 2, repeated: false } },
      { status: 'fulfilled', value: { firstSequence: 0, lastSequence: 0, repeated: false } },
      { status: 'rejected', reason: expect.objectContaining({ code: 'sequence_conflict' }) },
      { status: 'rejected', reason: expect.objectContaining({ code: '22003' }) },
      { status: 'rejected', reason: expect.objectContaining({ code: 'sequence_conflict' }) },
    ]);
    expect(await headOf(log, 'e')).toBe(head);
  });
});
