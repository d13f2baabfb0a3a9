import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import { storableTextSchema, tenantIdSchema } from '@palimpsest/contracts';
import { z } from 'zod';
import { keyFrom, keyIdOf, SCOPES, scopeSchema, type Caller, type Scope } from '../domain/api-key.js';
import { UnauthenticatedError } from '../domain/gateway-errors.js';
import { parseRequest } from '../domain/parse-request.js';
import { findApiKey } from '../store/find-api-key.js';
import { insertApiKey } from '../store/insert-api-key.js';
import { revokeKeyRow } from '../store/revoke-api-key.js';
import type { GatewayTables } from '../store/tables.js';

export type CreateApiKey = {
  readonly tenantId: string;
  readonly name: string;
  /** Default: all of them. */
  readonly scopes?: readonly Scope[];
};

const createApiKeySchema = z.object({
  tenantId: tenantIdSchema,
  name: storableTextSchema.min(1).max(128),
  scopes: z.array(scopeSchema).default([...SCOPES]),
});

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest();

/** Makes a key; its text is returned once and kept nowhere. */
export async function createApiKey(
  db: Kysely<GatewayTables>,
  request: CreateApiKey,
  random: (bytes: number) => Uint8Array = randomBytes,
): Promise<{ readonly key: string; readonly keyId: string }> {
  const { tenantId, name, scopes } = parseRequest(createApiKeySchema, request);
  const key = keyFrom(random(44));
  const keyId = keyIdOf(key) ?? '';
  await insertApiKey(db, { keyId, tenantId, name, scopes, keyHash: hashOf(key) });
  return { key, keyId };
}

/** True where the tenant has the key; it opens nothing from then on. */
export async function revokeApiKey(
  db: Kysely<GatewayTables>,
  tenantId: string,
  keyId: string,
): Promise<boolean> {
  return revokeKeyRow(db, tenantId, keyId);
}

/**
 * Whose key it is. The row is found by the public part, and the secret is compared by its hash in constant
 * time, so neither a look-up nor a comparison tells how much of a guess is right.
 * @throws UnauthenticatedError
 */
export async function authenticate(db: Kysely<GatewayTables>, key: string | undefined): Promise<Caller> {
  const keyId = key === undefined ? undefined : keyIdOf(key);
  if (key === undefined || keyId === undefined) throw new UnauthenticatedError();
  const row = await findApiKey(db, keyId);
  if (!row || !timingSafeEqual(row.key_hash, hashOf(key))) throw new UnauthenticatedError();
  if (row.revoked_at !== null) throw new UnauthenticatedError('key_revoked');
  return { tenantId: row.tenant_id, keyId, scopes: row.scopes };
}
