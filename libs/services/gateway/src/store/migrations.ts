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

/**
 * A tenant is live or for tests, and so are its keys: the pair is what a key refers to. Keys made before there was a
 * choice are live.
 */
const KEY_LIFE = `
CREATE TABLE gateway.tenants (
  tenant_id text PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('live', 'test')),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (tenant_id, kind)
);
INSERT INTO gateway.tenants (tenant_id, kind) SELECT DISTINCT tenant_id, 'live' FROM gateway.api_keys;
ALTER TABLE gateway.api_keys
  ADD COLUMN kind text NOT NULL DEFAULT 'live',
  ADD COLUMN lifetime_seconds bigint CHECK (lifetime_seconds > 0),
  ADD COLUMN expires_at timestamptz,
  ADD COLUMN rotated_to text REFERENCES gateway.api_keys (key_id),
  ADD CONSTRAINT api_keys_kind_of_tenant
    FOREIGN KEY (tenant_id, kind) REFERENCES gateway.tenants (tenant_id, kind);
ALTER TABLE gateway.api_keys ALTER COLUMN kind DROP DEFAULT;
`;

/** Runs that `X-Dedup: enforce` lets stand alone; an empty scope: none. */
const ACTIVE_RUNS = `
CREATE TABLE gateway.active_runs (
  tenant_id text NOT NULL,
  workflow_id text NOT NULL,
  scope_id text NOT NULL,
  run_id text NOT NULL,
  claimed_at timestamptz NOT NULL DEFAULT now(),
  checked_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, workflow_id, scope_id)
);
CREATE INDEX active_runs_by_check ON gateway.active_runs (checked_at);
`;

/** What the host signs with: made once, by whichever instance needs it first. */
const SIGNING_SECRETS = `
CREATE TABLE gateway.signing_secrets (
  name text PRIMARY KEY,
  secret bytea NOT NULL CHECK (length(secret) = 32),
  created_at timestamptz NOT NULL DEFAULT now()
);
`;

export const gatewayMigrations: MigrationSet = {
  schema: 'gateway',
  migrations: [
    { name: '0001-api-keys', sql: API_KEYS },
    { name: '0002-idempotency', sql: IDEMPOTENCY },
    { name: '0003-key-life', sql: KEY_LIFE },
    { name: '0004-active-runs', sql: ACTIVE_RUNS },
    { name: '0005-signing-secrets', sql: SIGNING_SECRETS },
  ],
};
