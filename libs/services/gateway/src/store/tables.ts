import type { Generated } from 'kysely';
import type { KeyKind } from '../domain/api-key.js';

export type TenantsTable = {
  tenant_id: string;
  /** Never changes. */
  kind: KeyKind;
  created_at: Generated<Date>;
};

export type ApiKeysTable = {
  /** The public part of the key, by which it is looked up. */
  key_id: string;
  tenant_id: string;
  name: string;
  /** SHA-256 of the whole key. */
  key_hash: Buffer;
  scopes: string[];
  /** Of the tenant, too: a foreign key holds the pair. */
  kind: KeyKind;
  created_at: Generated<Date>;
  revoked_at: Date | null;
  /** What the key was given at its start; a successor gets the same. Null: no end. */
  lifetime_seconds: string | number | null;
  expires_at: Date | null;
  /** The key that took its place. */
  rotated_to: string | null;
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

/** The run that stands alone for its tenant, workflow and scope, until it has ended. */
export type ActiveRunsTable = {
  tenant_id: string;
  workflow_id: string;
  /** Empty: none. */
  scope_id: string;
  run_id: string;
  claimed_at: Generated<Date>;
  /** When it was last looked whether the run has ended. */
  checked_at: Generated<Date>;
};

export type SigningSecretsTable = {
  name: string;
  secret: Buffer;
  created_at: Generated<Date>;
};

export type GatewayTables = {
  'gateway.tenants': TenantsTable;
  'gateway.api_keys': ApiKeysTable;
  'gateway.idempotency': IdempotencyTable;
  'gateway.active_runs': ActiveRunsTable;
  'gateway.signing_secrets': SigningSecretsTable;
};
