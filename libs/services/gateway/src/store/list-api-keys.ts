import type { Kysely } from 'kysely';
import { withDatabaseErrors } from '@palimpsest/adapter-postgres';
import type { KeyKind } from '../domain/api-key.js';
import type { GatewayTables } from './tables.js';

/** A key as it may be shown: neither its secret, which nobody has, nor its hash. */
export type ListedApiKey = {
  readonly keyId: string;
  readonly tenantId: string;
  readonly name: string;
  readonly kind: KeyKind;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** The key that took its place. */
  readonly rotatedTo: string | null;
};

/** Oldest first, of one tenant or of all. */
export async function listKeyRows(db: Kysely<GatewayTables>, tenantId?: string): Promise<ListedApiKey[]> {
  const all = db
    .selectFrom('gateway.api_keys')
    .select([
      'key_id as keyId',
      'tenant_id as tenantId',
      'name',
      'kind',
      'scopes',
      'created_at as createdAt',
      'expires_at as expiresAt',
      'revoked_at as revokedAt',
      'rotated_to as rotatedTo',
    ])
    .orderBy('tenant_id')
    .orderBy('created_at')
    .orderBy('key_id');
  return withDatabaseErrors(() =>
    (tenantId === undefined ? all : all.where('tenant_id', '=', tenantId)).execute(),
  );
}
