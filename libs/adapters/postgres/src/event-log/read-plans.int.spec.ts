import type { PoolClient } from 'pg';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.js';
import { CONTEXT_REFERENCES_SQL } from './context-references.js';
import { runLogMigrations } from './migrations.js';
import { PostgresEventLog } from './postgres-event-log.js';
import { readRunSql } from './read-run.js';

const TENANT = 'tenant';
const ALL = "'tenant', 'run', 400, 100";
const OF_TYPES = `${ALL}, ARRAY['test.rare', 'test.noted']`;

/** Statements by what they read, with the index that has it. */
const STATEMENTS = [
  ['a page forwards', readRunSql('forwards', false, false), ALL, 'events_pkey'],
  ['a page backwards', readRunSql('backwards', false, true), ALL, 'events_pkey'],
  ['types forwards', readRunSql('forwards', true, true), OF_TYPES, 'events_of_type'],
  ['types backwards', readRunSql('backwards', true, false), OF_TYPES, 'events_of_type'],
  ['references of the context', CONTEXT_REFERENCES_SQL, "'tenant', 'run', 0, 400", 'events_of_type'],
] as const;

/**
 * A plan is made once and kept: on the empty table, or when the server has counted what is in it. Both must read what was
 * asked for and nothing else, as a run may be long and what is looked for rare.
 */
describe('plans of reads', () => {
  let database: TestDatabase;
  let client: PoolClient;
  beforeAll(async () => {
    database = await createTestDatabase([runLogMigrations]);
    client = await database.pool.connect();
  });
  afterAll(async () => {
    client.release();
    await database.drop();
  });

  async function indexesRead(statement: string, values: string): Promise<readonly string[]> {
    const types = statement.includes('$5') ? ', text[]' : '';
    await client.query(`PREPARE planned (text, text, int, int${types}) AS ${statement}`);
    const { rows } = await client.query<Record<'QUERY PLAN', string>>(`EXPLAIN EXECUTE planned (${values})`);
    await client.query('DEALLOCATE planned');
    return rows.flatMap((row) => /\bScan.* (?:using|on) (events_\w+)/.exec(row['QUERY PLAN'])?.[1] ?? []);
  }

  it.each(STATEMENTS)('look up %s by its index while the log is empty', async (_, sql, values, index) => {
    expect(await indexesRead(sql, values)).toEqual([index]);
  });

  describe('when the server has counted', () => {
    beforeAll(async () => {
      const log = new PostgresEventLog(database.pool);
      const noted = { type: 'test.noted', payload: {}, schemaVersion: 1 };
      const events = Array.from({ length: 500 }, () => noted);
      for (const runId of ['run', 'other']) {
        const start = { tenantId: TENANT, runId, expectedHead: 'no-run', workflowId: 'w' } as const;
        await log.append({ ...start, events, at: new Date(0) });
      }
      await client.query('ANALYZE run_log.events');
    });

    it.each(STATEMENTS)('look up %s by its index', async (_, sql, values, index) => {
      expect(await indexesRead(sql, values)).toEqual([index]);
    });
  });
});
