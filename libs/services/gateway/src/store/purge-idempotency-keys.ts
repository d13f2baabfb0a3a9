import { sql, type Kysely } from 'kysely';
import { withDatabaseErrors } from '@palimpsest/adapter-postgres';
import type { GatewayTables } from './tables.js';

const BATCH = 1000;

/** Removes up to 1000 keys whose time is over; returns how many. */
export async function purgeIdempotencyKeys(db: Kysely<GatewayTables>): Promise<number> {
  const { numDeletedRows } = await withDatabaseErrors(() =>
    db
      .deleteFrom('gateway.idempotency')
      .where(
        'scope_hash',
        'in',
        db
          .selectFrom('gateway.idempotency')
          .select('scope_hash')
          .where('expires_at', '<', sql<Date>`now()`)
          .limit(BATCH),
      )
      .executeTakeFirst(),
  );
  return Number(numDeletedRows);
}
