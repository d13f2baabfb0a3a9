import { createHash } from 'node:crypto';
import type { Pool, PoolClient, QueryConfig } from 'pg';
import { withDatabaseErrors } from '../connection/database-errors.js';
import {
  MigrationError,
  type AppliedMigration,
  type Migration,
  type MigrationSet,
  type MigrationTransaction,
} from './migration-set.js';

/** First key of our advisory locks on migrations; the second is the schema's hash. */
const MIGRATION_LOCK = 0x70616c69;

/** A migration may take hours; the driver takes at most 2^31 − 1 ms. */
const NO_TIMEOUT_MS = 2_147_483_647;

type RecordedMigration = { readonly name: string; readonly checksum: string };

/**
 * Brings every schema to its last migration; returns what it applied. Safe to run twice and at once: each step
 * takes the schema's lock first and looks again at what is recorded.
 */
export async function runMigrations(
  pool: Pool,
  sets: readonly MigrationSet[],
): Promise<readonly AppliedMigration[]> {
  const applied: AppliedMigration[] = [];
  for (const set of sets) {
    for (;;) {
      const name = await withDatabaseErrors(() => applyNext(pool, set));
      if (name === undefined) break;
      applied.push({ schema: set.schema, name });
    }
  }
  return applied;
}

async function applyNext(pool: Pool, set: MigrationSet): Promise<string | undefined> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const name = await applyUnderLock(client, set);
    await client.query('COMMIT');
    client.release();
    return name;
  } catch (error) {
    // Ending the connection rolls back, also where the server no longer answers.
    client.release(true);
    throw error;
  }
}

async function applyUnderLock(client: PoolClient, set: MigrationSet): Promise<string | undefined> {
  const transaction = patient(client);
  await transaction.query('SET LOCAL statement_timeout = 0');
  await transaction.query('SET LOCAL idle_in_transaction_session_timeout = 0');
  await transaction.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [MIGRATION_LOCK, set.schema]);
  const next = nextMigration(set, await recordedMigrations(transaction, client.escapeIdentifier(set.schema)));
  if (next === undefined) return undefined;
  await ('sql' in next ? transaction.query(next.sql) : next.up(transaction));
  await transaction.query(
    `INSERT INTO ${client.escapeIdentifier(set.schema)}.migrations (name, checksum) VALUES ($1, $2)`,
    [next.name, checksumOf(next)],
  );
  return next.name;
}

async function recordedMigrations(
  transaction: MigrationTransaction,
  schema: string,
): Promise<readonly RecordedMigration[]> {
  await transaction.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
  await transaction.query(`CREATE TABLE IF NOT EXISTS ${schema}.migrations (
    place integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
  )`);
  const { rows } = await transaction.query(`SELECT name, checksum FROM ${schema}.migrations ORDER BY place`);
  return rows as readonly RecordedMigration[];
}

/** The recorded migrations must be a prefix of the set, unchanged. */
function nextMigration(set: MigrationSet, recorded: readonly RecordedMigration[]): Migration | undefined {
  recorded.forEach(({ name, checksum }, place) => {
    const known = set.migrations[place];
    if (known?.name !== name)
      throw new MigrationError(set.schema, name, 'is recorded in the database but not known in this place');
    if (checksumOf(known) !== checksum)
      throw new MigrationError(set.schema, name, 'was changed after it had been applied');
  });
  return set.migrations[recorded.length];
}

function checksumOf(migration: Migration): string {
  const text = 'sql' in migration ? migration.sql.replaceAll('\r\n', '\n') : `up ${migration.name}`;
  return createHash('sha256').update(text).digest('hex');
}

/** The pool's client-side timeout suits requests, not migrations. */
function patient(client: PoolClient): MigrationTransaction {
  return {
    query: (text, values = []) => {
      const query: QueryConfig & { query_timeout: number } = { text, query_timeout: NO_TIMEOUT_MS };
      // Without values the text may hold several statements.
      return client.query(values.length > 0 ? { ...query, values: [...values] } : query);
    },
  };
}
