import { withDatabaseErrors } from '@palimpsest/adapter-postgres';
import type { LogCursor } from '@palimpsest/kernel';
import type { Pool } from 'pg';
import type { CheckpointStore } from '../relay/checkpoint-store.js';

const LOAD = `SELECT transaction_id::text AS "transactionId", position::text AS position
  FROM run_log_relay.checkpoints WHERE reader = $1`;

const SAVE = `INSERT INTO run_log_relay.checkpoints AS saved (reader, transaction_id, position)
  VALUES ($1, $2::numeric, $3::bigint)
  ON CONFLICT (reader) DO UPDATE SET transaction_id = excluded.transaction_id, position = excluded.position
  WHERE (saved.transaction_id, saved.position) < (excluded.transaction_id, excluded.position)`;

export class PostgresCheckpoints implements CheckpointStore {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async load(reader: string): Promise<LogCursor | undefined> {
    const { rows } = await withDatabaseErrors(() => this.#pool.query<LogCursor>(LOAD, [reader]));
    return rows[0];
  }

  async save(reader: string, cursor: LogCursor): Promise<void> {
    await withDatabaseErrors(() => this.#pool.query(SAVE, [reader, cursor.transactionId, cursor.position]));
  }
}
