import { inTransaction } from '@palimpsest/adapter-postgres';
import type { Pool, PoolClient } from 'pg';
import type { Contender } from './contender.js';

/** As the registry's streams, with their indexes, and a row to lock for each workgroup; nothing is read or decided. */
const CREATE_TABLES = `
CREATE SCHEMA raw;
CREATE TABLE raw.events (LIKE lineage_registry.events INCLUDING ALL);
CREATE TABLE raw.workgroups (workgroup_id text PRIMARY KEY, sequence integer NOT NULL)`;

const FIND = 'SELECT sequence FROM raw.workgroups WHERE workgroup_id = $1';
const LOCK = 'SELECT sequence FROM raw.workgroups WHERE workgroup_id = $1 FOR UPDATE';
const CLOCK = 'SELECT clock_timestamp() AS now FROM raw.workgroups WHERE workgroup_id = $1';
const INSERT = `
WITH moved AS (UPDATE raw.workgroups SET sequence = $2 WHERE workgroup_id = $1)
INSERT INTO raw.events (tenant_id, stream, sequence, type, lineage_id, payload, recorded_at)
VALUES ('bench', $1, $2, $3, $4, $5, clock_timestamp())`;

const PAYLOAD = JSON.stringify({ fence: 1, expiresAt: '2031-03-10T12:00:00.000Z' });

/** As many statements: find, begin, lock, read, write, commit; twice for a lease that is taken and given back. */
export async function rawTransactions(pool: Pool): Promise<Contender> {
  await pool.query(CREATE_TABLES);
  return {
    name: 'raw transactions',
    client: async ({ workgroupId, clientId }) => {
      await pool.query('INSERT INTO raw.workgroups VALUES ($1, -1) ON CONFLICT DO NOTHING', [workgroupId]);
      const write = async (type: string): Promise<void> => {
        await pool.query({ name: 'raw_find', text: FIND, values: [workgroupId] });
        await inTransaction(pool, (client) => append(client, { workgroupId, clientId, type }));
      };
      return async () => {
        await write('palimpsest.lineage.resumed');
        await write('palimpsest.lineage.released');
      };
    },
  };
}

type Appended = { readonly workgroupId: string; readonly clientId: string; readonly type: string };

async function append(client: PoolClient, { workgroupId, clientId, type }: Appended): Promise<void> {
  const { rows } = await client.query<{ sequence: number }>({
    name: 'raw_lock',
    text: LOCK,
    values: [workgroupId],
  });
  await client.query({ name: 'raw_clock', text: CLOCK, values: [workgroupId] });
  const sequence = (rows[0]?.sequence ?? -1) + 1;
  await client.query({
    name: 'raw_insert',
    text: INSERT,
    values: [workgroupId, sequence, type, clientId, PAYLOAD],
  });
}
