import { eventLogContract, unfinishedRunsContract } from '@palimpsest/kernel/testing';
import { createTestDatabase } from '../testing/test-database.js';
import { runLogMigrations } from './migrations.js';
import { PostgresEventLog } from './postgres-event-log.js';

eventLogContract('postgres', async () => {
  const database = await createTestDatabase([runLogMigrations]);
  const log = new PostgresEventLog(database.pool, { pollIntervalMs: 20, retryBaseMs: 1 });
  return { log, close: () => database.drop() };
});

unfinishedRunsContract('postgres', async () => {
  const database = await createTestDatabase([runLogMigrations]);
  return { log: new PostgresEventLog(database.pool), close: () => database.drop() };
});

describe('a listener', () => {
  it('is told of every append and fork after it can be read', async () => {
    const database = await createTestDatabase([runLogMigrations]);
    const heads: Promise<number | undefined>[] = [];
    const log: PostgresEventLog = new PostgresEventLog(database.pool, {
      onGrown: ({ tenantId, runId }) => heads.push(log.header(tenantId, runId).then((run) => run?.head)),
    });
    const key = { tenantId: 'acme', runId: 'run' };
    const event = { type: 'test.noted', payload: {}, schemaVersion: 1 };
    const at = new Date();
    await log.append({ ...key, expectedHead: 'no-run', workflowId: 'w', events: [event, event], at });
    await log.append({ ...key, expectedHead: 1, events: [event], at });
    await log.append({ ...key, expectedHead: 0, events: [event], at }).catch(() => undefined);
    const origin = { runId: 'run', fromSequence: 2, mode: 'branch' } as const;
    await log.fork({ ...key, runId: 'fork', origin, at, status: 'running', state: {} });
    expect(await Promise.all(heads)).toEqual([1, 2, 1]);
    await database.drop();
  });
});
