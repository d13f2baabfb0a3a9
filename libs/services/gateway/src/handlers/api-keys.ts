import { createHash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { storableTextSchema, tenantIdSchema } from '@palimpsest/contracts';
import { z } from 'zod';
import {
  KEY_KINDS,
  keyFrom,
  keyIdOf,
  SCOPES,
  scopeSchema,
  type KeyKind,
  type Scope,
} from '../domain/api-key.js';
import { parseRequest } from '../domain/parse-request.js';
import { insertApiKey } from '../store/insert-api-key.js';
import { listKeyRows, type ListedApiKey } from '../store/list-api-keys.js';
import { revokeKeyRow, type KeyReference } from '../store/revoke-api-key.js';
import { rotateKeyRow } from '../store/rotate-api-key.js';
import type { GatewayTables } from '../store/tables.js';

export type CreateApiKey = {
  readonly tenantId: string;
  readonly name: string;
  /** Default: all of them. */
  readonly scopes?: readonly Scope[];
  /** Default `live`. A tenant's first key decides for all that follow. */
  readonly kind?: KeyKind;
  /** Default: it does not expire. */
  readonly lifetimeSeconds?: number;
};

export type RotateApiKey = {
  readonly keyId: string;
  /** How long the old key still opens; default 24 h, 0: no longer. */
  readonly graceSeconds?: number;
  /** Of the new key; default: what the old one was given. */
  readonly lifetimeSeconds?: number;
};

/** A key's text is returned once and kept nowhere. */
export type MadeApiKey = { readonly key: string; readonly keyId: string };

export type RotatedApiKey = MadeApiKey & { readonly tenantId: string; readonly oldExpiresAt: Date };

const CENTURY_SECONDS = 100 * 365 * 86_400;

const lifetimeSchema = z.int().min(1).max(CENTURY_SECONDS).optional();

const createApiKeySchema = z.object({
  tenantId: tenantIdSchema,
  name: storableTextSchema.min(1).max(128),
  scopes: z.array(scopeSchema).default([...SCOPES]),
  kind: z.enum(KEY_KINDS).default('live'),
  lifetimeSeconds: lifetimeSchema,
});

const rotateApiKeySchema = z.object({
  keyId: z.string(),
  graceSeconds: z.int().min(0).max(CENTURY_SECONDS).default(86_400),
  lifetimeSeconds: lifetimeSchema,
});

type Random = (bytes: number) => Uint8Array;

/** SHA-256 suffices: what is hashed has 256 random bits. */
export const hashOfKey = (key: string): Buffer => createHash('sha256').update(key).digest();

function makeKey(kind: KeyKind, random: Random): MadeApiKey {
  const key = keyFrom(random(44), kind);
  return { key, keyId: keyIdOf(key) ?? '' };
}

/** @throws ValidationError, TenantKindError */
export async function createApiKey(
  db: Kysely<GatewayTables>,
  request: CreateApiKey,
  random: Random = randomBytes,
): Promise<MadeApiKey> {
  const { tenantId, name, scopes, kind, lifetimeSeconds } = parseRequest(createApiKeySchema, request);
  const { key, keyId } = makeKey(kind, random);
  await insertApiKey(db, { keyId, tenantId, name, scopes, kind, lifetimeSeconds, keyHash: hashOfKey(key) });
  return { key, keyId };
}

/**
 * A new key in the place of one that goes on for a while, so that its holders can change over one by one.
 * @throws ValidationError, NotFoundError, KeyNotRotatableError
 */
export async function rotateApiKey(
  db: Kysely<GatewayTables>,
  request: RotateApiKey,
  random: Random = randomBytes,
): Promise<RotatedApiKey> {
  const { lifetimeSeconds, ...rotation } = parseRequest(rotateApiKeySchema, request);
  let made: MadeApiKey = { key: '', keyId: '' };
  const rotated = await rotateKeyRow(db, {
    ...rotation,
    ...(lifetimeSeconds !== undefined && { lifetimeSeconds }),
    makeSuccessor: (kind) => {
      made = makeKey(kind, random);
      return { keyId: made.keyId, keyHash: hashOfKey(made.key) };
    },
  });
  return { ...made, ...rotated };
}

/** True where there is such a key; it opens nothing from then on. */
export async function revokeApiKey(db: Kysely<GatewayTables>, key: KeyReference): Promise<boolean> {
  return revokeKeyRow(db, key);
}

/** Every key of a tenant, or of all: without secrets and hashes. */
export async function listApiKeys(
  db: Kysely<GatewayTables>,
  tenantId?: string,
): Promise<readonly ListedApiKey[]> {
  return listKeyRows(db, tenantId);
}
