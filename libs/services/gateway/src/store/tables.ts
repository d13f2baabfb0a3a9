import type { Generated } from 'kysely';

export type ApiKeysTable = {
  /** The public part of the key, by which it is looked up. */
  key_id: string;
  tenant_id: string;
  name: string;
  /** SHA-256 of the whole key. */
  key_hash: Buffer;
  scopes: string[];
  created_at: Generated<Date>;
  revoked_at: Date | null;
};

export type IdempotencyState = 'pending' | 'completed' | 'retryable-failure' | 'terminal-failure';

export type IdempotencyTable = {
  /** SHA-256 (hex) of tenant, endpoint and key; the key itself is not kept. */
  scope_hash: string;
  tenant_id: string;
  /** Names this use of the key: commands and run ids are derived from it, and stay the same in every attempt. */
  claim_id: string;
  /** SHA-256 (hex) of the request's canonical body. */
  request_digest: string;
  state: IdempotencyState;
  /** Who works on it, and until when nobody else may. */
  lease_owner: string | null;
  lease_until: Date | null;
  status: number | null;
  /** Ids and counts, or an error; never content. */
  answer: unknown;
  created_at: Generated<Date>;
  expires_at: Date;
};

export type GatewayTables = {
  'gateway.api_keys': ApiKeysTable;
  'gateway.idempotency': IdempotencyTable;
};
