import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { TerminalError } from '@palimpsest/kernel';
import { createPool, type PoolOptions } from '../connection/create-pool.js';
import type { MigrationSet } from '../migrations/migration-set.js';
import { runMigrations } from '../migrations/run-migrations.js';

export type TestDatabase = {
  readonly url: string;
  readonly pool: pg.Pool;
  /** Ends the pool and removes the database, whoever is still connected. */
  drop(): Promise<void>;
};

/** A fresh, migrated database on the server that `TEST_DATABASE_URL` names; one per spec file. */
export async function createTestDatabase(
  sets: readonly MigrationSet[],
  options: Partial<PoolOptions> = {},
): Promise<TestDatabase> {
  const serverUrl = testServerUrl();
  const name = `palimpsest_test_${randomBytes(8).toString('hex')}`;
  await onServer(serverUrl, `CREATE DATABASE ${name} TEMPLATE template0`);
  const url = withDatabaseName(serverUrl, name);
  const pool = createPool(url, { applicationName: name, connectTimeoutMs: 20_000, ...options });
  const drop = async () => {
    if (!pool.ending) await pool.end();
    await onServer(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  };
  try {
    await runMigrations(pool, sets);
  } catch (error) {
    await drop();
    throw error;
  }
  return { url, pool, drop };
}

export function testServerUrl(): string {
  const url = process.env['TEST_DATABASE_URL'];
  if (url) return url;
  throw new TerminalError(
    'internal_error',
    'TEST_DATABASE_URL is not set: integration specs need a PostgreSQL server. `npm test` starts one.',
  );
}

function withDatabaseName(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
