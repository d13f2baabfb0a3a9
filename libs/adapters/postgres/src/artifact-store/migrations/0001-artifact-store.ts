import type { Migration } from '../../migrations/migration-set.js';

/**
 * `artifacts` holds canonical UTF-8 JSON as bytes, as `text` cannot hold NUL; an erased row keeps its id and
 * nothing that tells of its content. `run_links` says which run refers to what, `run_sources` whom a fork may
 * read along with, `derivations` what must go together.
 *
 * No foreign keys: each put writes an artifact before its links in one transaction, no row is ever deleted, and
 * a key check would lock every shared row.
 */
export const createArtifactStore: Migration = {
  name: '0001-artifact-store',
  sql: `
CREATE TABLE artifact_store.tenant_keys (
  tenant_id text COLLATE "C" PRIMARY KEY,
  artifact_key bytea NOT NULL CHECK (octet_length(artifact_key) = 32),
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE artifact_store.artifacts (
  tenant_id text COLLATE "C" NOT NULL,
  artifact_id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  content bytea,
  sha256 bytea CHECK (octet_length(sha256) = 32),
  created_at timestamptz NOT NULL DEFAULT now(),
  erased_at timestamptz,
  PRIMARY KEY (tenant_id, artifact_id),
  CHECK (num_nulls(content, sha256) = CASE WHEN erased_at IS NULL THEN 0 ELSE 2 END)
);

CREATE TABLE artifact_store.run_links (
  tenant_id text COLLATE "C" NOT NULL,
  run_id text COLLATE "C" NOT NULL,
  artifact_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, run_id, artifact_id)
);

CREATE TABLE artifact_store.run_sources (
  tenant_id text COLLATE "C" NOT NULL,
  run_id text COLLATE "C" NOT NULL,
  source_run_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, run_id, source_run_id)
);

CREATE TABLE artifact_store.derivations (
  tenant_id text COLLATE "C" NOT NULL,
  source_id text COLLATE "C" NOT NULL,
  artifact_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, source_id, artifact_id)
);
`,
};
