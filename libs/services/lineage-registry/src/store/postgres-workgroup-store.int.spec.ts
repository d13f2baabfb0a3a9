import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { waitUntil } from '@palimpsest/kernel/testing';
import type { Pool, PoolClient } from 'pg';
import {
  digest,
  capsuleRecorded,
  oneOfEach,
  opened,
  registered,
  seatTaken,
  telemetry,
} from '../testing/sample-events.js';
import { workgroupStoreContract } from '../testing/workgroup-store-contract.js';
import { lineageRegistryMigrations } from './migrations.js';
import { PostgresWorkgroupStore } from './postgres-workgroup-store.js';
import type { RolloutStanding } from '../domain/rollout/rollout.js';

const CANDIDATE = JSON.stringify({
  candidateVersion: '1',
  corpusVersion: '1',
  runtimeDigest: digest('9'),
});

async function setRollout(pool: Pool, tenantId: string, standing: RolloutStanding): Promise<void> {
  const { environment, family, version, stage, canaryPercent } = standing;
  await pool.query(
    `INSERT INTO lineage_registry.rollouts
      (tenant_id, environment, family, version, stage, canary_percent, candidate, since)
    VALUES ($1, $2, $3, $4, $5, $6, $7, now())`,
    [tenantId, environment, family, version, stage, canaryPercent, CANDIDATE],
  );
}

workgroupStoreContract('Postgres', async () => {
  const database = await createTestDatabase([lineageRegistryMigrations]);
  const { pool } = database;
  return {
    store: new PostgresWorkgroupStore(pool),
    other: new PostgresWorkgroupStore(pool),
    setRollout: (tenantId, standing) => setRollout(pool, tenantId, standing),
    telemetryIds: async (tenantId) => {
      const sql = 'SELECT id FROM lineage_registry.telemetry WHERE tenant_id = $1';
      const { rows } = await pool.query<{ id: string }>(sql, [tenantId]);
      return rows.map(({ id }) => id);
    },
    ageCommands: async (ms) => {
      const sql = `UPDATE lineage_registry.commands SET recorded_at = recorded_at - $1 * interval '1 millisecond'`;
      await pool.query(sql, [ms]);
    },
    close: () => database.drop(),
  };
});

describe('workgroups in Postgres', () => {
  let database: TestDatabase;
  let store: PostgresWorkgroupStore;
  const change = { tenantId: 'acme', workgroupId: 'wg' };
  beforeAll(async () => {
    database = await createTestDatabase([lineageRegistryMigrations]);
    store = new PostgresWorkgroupStore(database.pool);
    await store.decide(change, () => ({ events: oneOfEach, answer: {} }));
  });
  afterAll(() => database.drop());

  /** Another transaction that has the workgroup's row, until it is ended. */
  async function holdRow(): Promise<PoolClient> {
    const client = await database.pool.connect();
    await client.query('BEGIN');
    await client.query("SELECT FROM lineage_registry.workgroups WHERE workgroup_id = 'wg' FOR UPDATE");
    return client;
  }

  /** Backends of this database that wait for a lock. */
  async function waiting(): Promise<readonly number[]> {
    const { rows } = await database.pool.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    return rows.map(({ pid }) => pid);
  }

  it.each([
    "UPDATE lineage_registry.events SET payload = '{}'",
    'UPDATE lineage_registry.events SET sequence = 7 WHERE false',
    'DELETE FROM lineage_registry.events',
    'DELETE FROM lineage_registry.events WHERE false',
    'TRUNCATE lineage_registry.events',
    'TRUNCATE lineage_registry.lineages, lineage_registry.events',
  ])('refuses: %s', async (statement) => {
    await expect(database.pool.query(statement)).rejects.toMatchObject({
      code: '23001',
      message: expect.stringContaining('is append-only'),
    });
  });

  it('has the tenant in every table', async () => {
    const { rows } = await database.pool.query(`
      SELECT table_name FROM information_schema.tables
      WHERE table_schema = 'lineage_registry' AND table_name <> 'migrations'
      EXCEPT
      SELECT table_name FROM information_schema.columns
      WHERE table_schema = 'lineage_registry' AND column_name = 'tenant_id'`);
    expect(rows).toEqual([]);
  });

  it('reads the clock behind the lock: who waited decides at the time at which it may', async () => {
    const holder = await holdRow();
    const deciding = store.decide(change, (_, { now }) => ({ events: [], answer: { now } }));
    await waitUntil(async () => (await waiting()).length === 1);
    const { rows } = await holder.query<{ ms: number }>(
      'SELECT ceil(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms FROM pg_sleep(0.01)',
    );
    await holder.query('COMMIT');
    holder.release();
    expect((await deciding).now).toBeGreaterThanOrEqual(rows[0]?.ms ?? Infinity);
  });

  it('refuses who has waited for a turn for too long, with nothing decided', async () => {
    const impatient = new PostgresWorkgroupStore(database.pool, { mostWaitMs: 20 });
    const decided: string[] = [];
    const decide = (name: string) =>
      impatient.decide(change, () => {
        decided.push(name);
        return { events: [], answer: {} };
      });
    const holder = await holdRow();
    const first = decide('first');
    const second = expect(decide('second')).rejects.toMatchObject({ code: 'service_unavailable' });
    await waitUntil(async () => (await waiting()).length === 1);
    await holder.query('SELECT pg_sleep(0.03)');
    await holder.query('COMMIT');
    holder.release();
    await Promise.all([first, second]);
    await decide('third');
    expect(decided).toEqual(['first', 'third']);
  });

  it('decides on what a transaction wrote for which it waited', async () => {
    const holder = await holdRow();
    const deciding = store.decide(change, ({ lastFence, lineages }) => ({
      events: [],
      answer: { lastFence, lease: lineages.get('one')?.record.lease_expires_at },
    }));
    await waitUntil(async () => (await waiting()).length === 1);
    await holder.query("UPDATE lineage_registry.workgroups SET last_fence = 99 WHERE workgroup_id = 'wg'");
    await holder.query(
      "UPDATE lineage_registry.lineages SET lease_expires_at = '2077-07-07T07:07:07.007+02' WHERE lineage_id = 'one'",
    );
    await holder.query('COMMIT');
    holder.release();
    expect(await deciding).toEqual({ lastFence: 99, lease: '2077-07-07T05:07:07.007Z' });
  });

  it('opens a workgroup once where two instances come to one that nobody opened', async () => {
    const fresh = { tenantId: 'acme', workgroupId: 'fresh' };
    const other = new PostgresWorkgroupStore(database.pool);
    const sequences = await Promise.all(
      Array.from({ length: 8 }, (_, place) =>
        (place % 2 ? other : store).decide(fresh, ({ sequence }) => ({
          events: [sequence < 0 ? opened : seatTaken(sequence + 1)],
          answer: { sequence },
        })),
      ),
    );
    expect(sequences.map(({ sequence }) => sequence).sort((a, b) => a - b)).toEqual([
      -1, 0, 1, 2, 3, 4, 5, 6,
    ]);
  });

  it('leaves no row of a workgroup that was only looked at', async () => {
    await store.decide({ tenantId: 'acme', workgroupId: 'looked-at' }, () => ({ events: [], answer: {} }));
    const { rows } = await database.pool.query('SELECT FROM lineage_registry.workgroups WHERE sequence < 0');
    expect(rows).toEqual([]);
  });

  it('leaves nothing of a transaction whose connection is ended, says so, and works again', async () => {
    const before = await snapshot();
    const blocker = await database.pool.connect();
    await blocker.query('BEGIN');
    // What a decision writes last: the rest is written, and not durable yet.
    await blocker.query('LOCK TABLE lineage_registry.telemetry IN EXCLUSIVE MODE');
    const events = [seatTaken(50), registered('new', 51), capsuleRecorded(digest('f'))];
    const decide = () => ({ events, telemetry: [telemetry('t')], answer: {} });
    const deciding = store.decide({ ...change, commandId: 'c' }, decide);
    const refusal = expect(deciding).rejects.toMatchObject({ code: 'service_unavailable', retryable: true });
    const [pid] = await waitUntil(async () => {
      const pids = await waiting();
      return pids.length > 0 && pids;
    });
    await database.pool.query('SELECT pg_terminate_backend($1)', [pid]);
    await refusal;
    await blocker.query('ROLLBACK');
    blocker.release();
    expect(await snapshot()).toEqual(before);
    await store.decide({ ...change, commandId: 'c' }, decide);
    expect(await store.lineage('acme', 'new')).toMatchObject({ lineage: { fence: 51 } });
  });

  it('cannot hold one place of a stream twice, whoever writes', async () => {
    const insert = `INSERT INTO lineage_registry.events (tenant_id, stream, sequence, type, payload, recorded_at)
      VALUES ('acme', 'workgroup/wg', 0, 't', '{}', now())`;
    await expect(database.pool.query(insert)).rejects.toMatchObject({ code: '23505' });
  });

  /** All rows of all tables that a decision writes. */
  async function snapshot(): Promise<unknown> {
    const tables = ['workgroups', 'lineages', 'events', 'commands', 'capsules', 'telemetry'];
    const reads = tables.map((table) =>
      database.pool.query(`SELECT t::text FROM lineage_registry.${table} t ORDER BY 1`),
    );
    return (await Promise.all(reads)).map(({ rows }) => rows as unknown[]);
  }
});
