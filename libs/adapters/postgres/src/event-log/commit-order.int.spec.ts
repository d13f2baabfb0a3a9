import type { Pool, PoolClient } from 'pg';
import { LOG_START, type EventLog, type LogCursor } from '@palimpsest/kernel';
import { waitUntil } from '@palimpsest/kernel/testing';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.js';
import { runLogMigrations } from './migrations.js';
import { PostgresEventLog } from './postgres-event-log.js';

const TENANT = 'tenant';

describe('reading the whole log while transactions are open', () => {
  let database: TestDatabase;
  let log: PostgresEventLog;
  const open: PoolClient[] = [];

  beforeEach(async () => {
    database = await createTestDatabase([runLogMigrations]);
    log = new PostgresEventLog(database.pool);
  });
  afterEach(async () => {
    for (const client of open.splice(0)) client.release(true);
    await database.drop();
  });

  const start = (through: EventLog, runId: string) =>
    through.append({
      tenantId: TENANT,
      runId,
      expectedHead: 'no-run',
      workflowId: 'w',
      events: [{ type: 'test.noted', payload: {}, schemaVersion: 1 }],
      at: new Date(0),
    });

  /** Appends to a run in a transaction that stays open. */
  async function startUncommitted(runId: string): Promise<PoolClient> {
    const client = await database.pool.connect();
    open.push(client);
    await client.query('BEGIN');
    await start(new PostgresEventLog(client as unknown as Pool), runId);
    return client;
  }

  /** Reads on from a cursor; gives the runs seen and the place reached. */
  async function readOn(cursor: LogCursor): Promise<{ seen: string[]; cursor: LogCursor }> {
    const batch = await log.readAll(cursor, 100);
    return { seen: batch.map(({ event }) => event.runId), cursor: batch.at(-1)?.cursor ?? cursor };
  }

  /** Other databases of the server have transactions, too: what must come, comes when they end. */
  async function readOnUntil(cursor: LogCursor, count: number) {
    const seen: string[] = [];
    return waitUntil(async () => {
      const next = await readOn(cursor);
      seen.push(...next.seen);
      cursor = next.cursor;
      return seen.length >= count && { seen, cursor };
    });
  }

  it('holds back what committed early until what began before it has ended', async () => {
    await start(log, 'first');
    const { cursor } = await readOnUntil(LOG_START, 1);

    const early = await startUncommitted('began-first');
    await start(log, 'committed-first');
    // Its event stands behind an open transaction: handing it out would lose the other for good.
    const held = await readOn(cursor);
    expect(held.seen).toEqual([]);

    await early.query('COMMIT');
    expect((await readOnUntil(held.cursor, 2)).seen).toEqual(['began-first', 'committed-first']);
  });

  it('gives what stands before the oldest open transaction, and no more', async () => {
    const first = await startUncommitted('a');
    const second = await startUncommitted('b');
    await start(log, 'c');
    await first.query('COMMIT');
    const reached = await readOnUntil(LOG_START, 1);
    expect(reached.seen).toEqual(['a']);
    expect((await readOn(reached.cursor)).seen).toEqual([]);
    await second.query('COMMIT');
    expect((await readOnUntil(reached.cursor, 2)).seen).toEqual(['b', 'c']);
  });

  it('goes on when the open transaction is rolled back', async () => {
    const failing = await startUncommitted('a');
    await start(log, 'b');
    expect((await readOn(LOG_START)).seen).toEqual([]);
    await failing.query('ROLLBACK');
    expect((await readOnUntil(LOG_START, 1)).seen).toEqual(['b']);
  });

  it('orders by transaction where positions say otherwise', async () => {
    const client = await database.pool.connect();
    open.push(client);
    await client.query('BEGIN');
    await client.query('SELECT pg_current_xact_id()');
    await start(log, 'later-transaction');
    await start(new PostgresEventLog(client as unknown as Pool), 'earlier-transaction');
    await client.query('COMMIT');
    const { seen } = await readOnUntil(LOG_START, 2);
    expect(seen).toEqual(['earlier-transaction', 'later-transaction']);
  });

  it('frees its readers when a writer idles in its transaction', async () => {
    const client = await startUncommitted('abandoned');
    await client.query("SET idle_in_transaction_session_timeout = '20ms'");
    await start(log, 'b');
    expect((await readOnUntil(LOG_START, 1)).seen).toEqual(['b']);
  });

  it('keeps positions exact beyond 2^53', async () => {
    await database.pool.query(
      'ALTER TABLE run_log.events ALTER COLUMN global_position RESTART WITH 9007199254740993',
    );
    for (const runId of ['a', 'b', 'c']) await start(log, runId);
    await readOnUntil(LOG_START, 3);
    const batch = await log.readAll(LOG_START, 10);
    expect(batch.map(({ cursor }) => cursor.position)).toEqual([
      '9007199254740993',
      '9007199254740994',
      '9007199254740995',
    ]);
    for (const [place, { cursor }] of batch.entries())
      expect((await readOn(cursor)).seen).toEqual(['a', 'b', 'c'].slice(place + 1));
  });
});
