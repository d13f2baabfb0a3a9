import { timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import { keyIdOf, type Caller } from '../domain/api-key.js';
import { UnauthenticatedError } from '../domain/gateway-errors.js';
import { findApiKey } from '../store/find-api-key.js';
import type { GatewayTables } from '../store/tables.js';
import { hashOfKey } from './api-keys.js';

/**
 * Whose key it is. The row is found by the public part, and the secret is compared by its hash in constant
 * time, so neither a look-up nor a comparison tells how much of a guess is right. Only who has the whole key hears
 * that it was revoked or has expired.
 * @throws UnauthenticatedError
 */
export async function authenticate(db: Kysely<GatewayTables>, key: string | undefined): Promise<Caller> {
  const keyId = key === undefined ? undefined : keyIdOf(key);
  if (key === undefined || keyId === undefined) throw new UnauthenticatedError();
  const row = await findApiKey(db, keyId);
  if (!row || !timingSafeEqual(row.key_hash, hashOfKey(key))) throw new UnauthenticatedError();
  if (row.revoked_at !== null) throw new UnauthenticatedError('key_revoked');
  if (row.expired) throw new UnauthenticatedError('key_expired');
  return { tenantId: row.tenant_id, keyId, scopes: row.scopes, testKey: row.kind === 'test' };
}
