import { sql, type Kysely, type Selectable } from 'kysely';
import { withDatabaseErrors } from '@palimpsest/adapter-postgres';
import type { ApiKeysTable, GatewayTables } from './tables.js';

export type FoundApiKey = Selectable<ApiKeysTable> & {
  /** By the database's clock, so that every instance says the same. */
  readonly expired: boolean;
};

export async function findApiKey(db: Kysely<GatewayTables>, keyId: string): Promise<FoundApiKey | undefined> {
  return withDatabaseErrors(() =>
    db
      .selectFrom('gateway.api_keys')
      .selectAll()
      .select(sql<boolean>`coalesce(expires_at <= now(), false)`.as('expired'))
      .where('key_id', '=', keyId)
      .executeTakeFirst(),
  );
}
