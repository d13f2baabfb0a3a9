import type { Migration } from '@palimpsest/adapter-postgres';

/**
 * `environments` is what a command on an environment's rollouts locks, and the head of its stream. `rollouts` follows from
 * the stream's events. `consumed_runs` is the ledger of measurement runs (contract §12.5): one grants one promotion of the tenant,
 * and it is never given back.
 */
export const createRollouts: Migration = {
  name: '0002-rollouts',
  sql: `
CREATE TABLE lineage_registry.environments (
  tenant_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  sequence integer NOT NULL,
  PRIMARY KEY (tenant_id, environment)
);

CREATE TABLE lineage_registry.rollouts (
  since timestamptz NOT NULL,
  version integer NOT NULL CHECK (version > 0),
  canary_percent integer,
  tenant_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  family text COLLATE "C" NOT NULL,
  stage text COLLATE "C" NOT NULL CHECK (stage IN ('off', 'observe', 'shadow', 'canary', 'on')),
  candidate jsonb,
  PRIMARY KEY (tenant_id, environment, family),
  CHECK ((canary_percent IS NULL) = (stage <> 'canary')),
  CHECK ((candidate IS NULL) = (stage = 'off'))
);

-- One family is under way at a time: said here as well.
CREATE UNIQUE INDEX rollouts_under_way ON lineage_registry.rollouts (tenant_id, environment)
  WHERE stage NOT IN ('off', 'on');

CREATE TABLE lineage_registry.consumed_runs (
  consumed_at timestamptz NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  measurement_run_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  family text COLLATE "C" NOT NULL,
  evidence_artifact_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, measurement_run_id)
);

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON lineage_registry.consumed_runs
  FOR EACH STATEMENT EXECUTE FUNCTION lineage_registry.refuse_change();
`,
};
