import { sql, type Kysely } from 'kysely';
import { withDatabaseErrors } from '@palimpsest/adapter-postgres';
import type { GatewayTables } from './tables.js';

export type KeyReference = {
  readonly keyId: string;
  /** Absent: whosever it is. */
  readonly tenantId?: string;
};

/** True where the key is revoked now, by this call or an earlier one. */
export async function revokeKeyRow(
  db: Kysely<GatewayTables>,
  { keyId, tenantId }: KeyReference,
): Promise<boolean> {
  const update = db
    .updateTable('gateway.api_keys')
    .set({ revoked_at: sql`coalesce(revoked_at, now())` })
    .where('key_id', '=', keyId);
  const { numUpdatedRows } = await withDatabaseErrors(() =>
    (tenantId === undefined ? update : update.where('tenant_id', '=', tenantId)).executeTakeFirst(),
  );
  return numUpdatedRows > 0n;
}
