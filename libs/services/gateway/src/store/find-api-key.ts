import type { Kysely, Selectable } from 'kysely';
import { withDatabaseErrors } from '@palimpsest/adapter-postgres';
import type { ApiKeysTable, GatewayTables } from './tables.js';

export async function findApiKey(
  db: Kysely<GatewayTables>,
  keyId: string,
): Promise<Selectable<ApiKeysTable> | undefined> {
  return withDatabaseErrors(() =>
    db.selectFrom('gateway.api_keys').selectAll().where('key_id', '=', keyId).executeTakeFirst(),
  );
}
