import type { Kysely } from 'kysely';
import { withDatabaseErrors } from '@palimpsest/adapter-postgres';
import type { GatewayTables } from './tables.js';

export type NewApiKey = {
  readonly keyId: string;
  readonly tenantId: string;
  readonly name: string;
  readonly keyHash: Buffer;
  readonly scopes: readonly string[];
};

export async function insertApiKey(db: Kysely<GatewayTables>, key: NewApiKey): Promise<void> {
  await withDatabaseErrors(() =>
    db
      .insertInto('gateway.api_keys')
      .values({
        key_id: key.keyId,
        tenant_id: key.tenantId,
        name: key.name,
        key_hash: key.keyHash,
        scopes: [...key.scopes],
        revoked_at: null,
      })
      .execute(),
  );
}
