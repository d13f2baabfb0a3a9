import { eventLogContract } from '@palimpsest/kernel/testing';
import { createTestDatabase } from '../testing/test-database.js';
import { runLogMigrations } from './migrations.js';
import { PostgresEventLog } from './postgres-event-log.js';

eventLogContract('postgres', async () => {
  const database = await createTestDatabase([runLogMigrations]);
  const log = new PostgresEventLog(database.pool, { pollIntervalMs: 20, retryBaseMs: 1 });
  return { log, close: () => database.drop() };
});
