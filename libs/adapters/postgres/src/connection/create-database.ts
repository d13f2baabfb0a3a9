import { Kysely, PostgresDialect } from 'kysely';
import type { Pool } from 'pg';

/** A typed view of a pool. It shares the pool: end that, do not destroy this. */
export function createDatabase<Tables>(pool: Pool): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
