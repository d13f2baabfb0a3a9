import { sql, type Kysely } from 'kysely';
import { withDatabaseErrors } from '@palimpsest/adapter-postgres';
import type { GatewayTables } from './tables.js';

/** True where the key is revoked now, by this call or an earlier one. */
export async function revokeKeyRow(
  db: Kysely<GatewayTables>,
  tenantId: string,
  keyId: string,
): Promise<boolean> {
  const { numUpdatedRows } = await withDatabaseErrors(() =>
    db
      .updateTable('gateway.api_keys')
      .set({ revoked_at: sql`coalesce(revoked_at, now())` })
      .where('tenant_id', '=', tenantId)
      .where('key_id', '=', keyId)
      .executeTakeFirst(),
  );
  return numUpdatedRows > 0n;
}
