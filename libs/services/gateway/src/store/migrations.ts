import type { MigrationSet } from '@palimpsest/adapter-postgres';

const API_KEYS = `
CREATE TABLE gateway.api_keys (
  key_id text PRIMARY KEY,
  tenant_id text NOT NULL,
  name text NOT NULL,
  key_hash bytea NOT NULL CHECK (length(key_hash) = 32),
  scopes text[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz
);
CREATE INDEX api_keys_of_tenant ON gateway.api_keys (tenant_id, created_at);
`;

const IDEMPOTENCY = `
CREATE TABLE gateway.idempotency (
  scope_hash text PRIMARY KEY,
  tenant_id text NOT NULL,
  claim_id text NOT NULL,
  request_digest text NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'completed', 'retryable-failure', 'terminal-failure')),
  lease_owner text,
  lease_until timestamptz,
  status integer,
  answer json,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX idempotency_by_expiry ON gateway.idempotency (expires_at);
`;

export const gatewayMigrations: MigrationSet = {
  schema: 'gateway',
  migrations: [
    { name: '0001-api-keys', sql: API_KEYS },
    { name: '0002-idempotency', sql: IDEMPOTENCY },
  ],
};
