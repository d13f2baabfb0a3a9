import { createTestDatabase, type TestDatabase } from '../testing/test-database.js';
import { runLogMigrations } from './migrations.js';
import { PostgresEventLog } from './postgres-event-log.js';

const event = { type: 'test.noted', payload: {}, schemaVersion: 1 };
const first = {
  tenantId: 'tenant',
  runId: 'run',
  expectedHead: 'no-run',
  workflowId: 'w',
  events: [event],
  at: new Date(0),
} as const;

describe('the schema run_log', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase([runLogMigrations]);
    const log = new PostgresEventLog(database.pool);
    await log.append(first);
    await log.fork({
      tenantId: 'tenant',
      runId: 'fork',
      origin: { runId: 'run', fromSequence: 1, mode: 'branch' },
      at: new Date(0),
      status: 'running',
      state: {},
    });
  });
  afterAll(() => database.drop());

  it.each([
    "UPDATE run_log.events SET payload = '{}'",
    'UPDATE run_log.events SET sequence = 7 WHERE false',
    'DELETE FROM run_log.events',
    'TRUNCATE run_log.events',
    'TRUNCATE run_log.runs, run_log.events',
    'UPDATE run_log.segments SET last_sequence = 7',
    'DELETE FROM run_log.segments',
    'TRUNCATE run_log.segments',
  ])('refuses: %s', async (statement) => {
    await expect(database.pool.query(statement)).rejects.toMatchObject({
      code: '23001',
      message: expect.stringContaining('is append-only'),
    });
  });

  it('has the tenant in every table', async () => {
    const { rows } = await database.pool.query<{ table_name: string }>(`
      SELECT table_name FROM information_schema.tables WHERE table_schema = 'run_log' AND table_name <> 'migrations'
      EXCEPT
      SELECT table_name FROM information_schema.columns WHERE table_schema = 'run_log' AND column_name = 'tenant_id'`);
    expect(rows).toEqual([]);
  });

  it('cannot hold one place twice, whoever writes', async () => {
    const insert = `INSERT INTO run_log.events (tenant_id, run_id, sequence, type, schema_version, payload,
      payload_bytes, recorded_at) VALUES ('tenant', 'run', 0, 't', 1, '{}', 2, now())`;
    await expect(database.pool.query(insert)).rejects.toMatchObject({ code: '23505' });
  });
});
