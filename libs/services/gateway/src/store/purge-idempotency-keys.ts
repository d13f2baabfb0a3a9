import { sql, type Kysely } from 'kysely';
import { withDatabaseErrors } from '@palimpsest/adapter-postgres';
import type { GatewayTables } from './tables.js';

export const PURGE_BATCH = 1000;

/** Removes up to a batch of keys whose time is over; returns how many. Instances that sweep at once pass each other. */
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
          .limit(PURGE_BATCH)
          .forUpdate()
          .skipLocked(),
      )
      .executeTakeFirst(),
  );
  return Number(numDeletedRows);
}
