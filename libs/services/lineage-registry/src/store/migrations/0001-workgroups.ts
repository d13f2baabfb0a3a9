import type { Migration } from '@palimpsest/adapter-postgres';

/**
 * `events` holds the streams: `workgroup/<id>` and `rollout/<environment>`. The other tables follow from them and change in
 * the same transaction; `commands` is forgotten after a day; a command id is its stream's. A lineage id is unique in its tenant, so that it names its
 * workgroup. `registered` and `changed` are sequences of the workgroup's stream.
 *
 * Payloads and outcomes are `json`: they are given back as they were written, and nothing looks into them but the index
 * by which a delegation is found.
 *
 * Primary keys come after the other indexes, and the index of what is live after that of leases: on an empty table all cost
 * the same, of equals the planner takes the newest, and the plan is kept while the table grows. The index of types comes after
 * the key: it serves no query that needs only that.
 */
export const createWorkgroups: Migration = {
  name: '0001-workgroups',
  sql: `
CREATE TABLE lineage_registry.workgroups (
  tenant_id text COLLATE "C" NOT NULL,
  workgroup_id text COLLATE "C" NOT NULL,
  sequence integer NOT NULL CHECK (sequence >= -1),
  phase text COLLATE "C" NOT NULL,
  last_fence integer NOT NULL CHECK (last_fence >= 0),
  state jsonb NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, workgroup_id)
) WITH (fillfactor = 70); -- room for the new version of a row beside the old one: every decision makes one

CREATE TABLE lineage_registry.lineages (
  tenant_id text COLLATE "C" NOT NULL,
  lineage_id text COLLATE "C" NOT NULL,
  workgroup_id text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL CHECK (status IN ('held', 'idle', 'evicted')),
  lease_expires_at timestamptz,
  registered integer NOT NULL,
  changed integer NOT NULL,
  updated_at timestamptz NOT NULL,
  state jsonb NOT NULL
) WITH (fillfactor = 70);

CREATE INDEX lineages_lease ON lineage_registry.lineages (lease_expires_at) WHERE status IN ('held', 'idle');
CREATE INDEX lineages_evicted ON lineage_registry.lineages (tenant_id, workgroup_id, changed, lineage_id)
  WHERE status = 'evicted';
CREATE INDEX lineages_live ON lineage_registry.lineages (tenant_id, workgroup_id) WHERE status IN ('held', 'idle');
ALTER TABLE lineage_registry.lineages ADD PRIMARY KEY (tenant_id, lineage_id);

CREATE TABLE lineage_registry.events (
  recorded_at timestamptz NOT NULL,
  sequence integer NOT NULL CHECK (sequence >= 0),
  tenant_id text COLLATE "C" NOT NULL,
  stream text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  lineage_id text COLLATE "C",
  payload json NOT NULL
);

CREATE INDEX events_of_delegation ON lineage_registry.events (tenant_id, stream, (payload->>'delegationId'), sequence)
  WHERE type = 'palimpsest.delegation.recorded';
CREATE INDEX events_of_lineage ON lineage_registry.events (tenant_id, stream, lineage_id, type, sequence)
  WHERE lineage_id IS NOT NULL;
ALTER TABLE lineage_registry.events ADD PRIMARY KEY (tenant_id, stream, sequence);
CREATE INDEX events_of_type ON lineage_registry.events (tenant_id, stream, type, sequence);

CREATE TABLE lineage_registry.commands (
  tenant_id text COLLATE "C" NOT NULL,
  stream text COLLATE "C" NOT NULL,
  command_id text COLLATE "C" NOT NULL,
  outcome json NOT NULL,
  recorded_at timestamptz NOT NULL
);

CREATE INDEX commands_oldest ON lineage_registry.commands (recorded_at);
ALTER TABLE lineage_registry.commands ADD PRIMARY KEY (tenant_id, stream, command_id);

CREATE TABLE lineage_registry.capsules (
  tenant_id text COLLATE "C" NOT NULL,
  workgroup_id text COLLATE "C" NOT NULL,
  capsule_hash text COLLATE "C" NOT NULL,
  artifact_id text COLLATE "C" NOT NULL,
  task_id text NOT NULL,
  phase text COLLATE "C" NOT NULL,
  bytes bigint NOT NULL,
  recorded_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, workgroup_id, capsule_hash)
);

CREATE FUNCTION lineage_registry.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'lineage_registry.% is append-only: % is refused', TG_TABLE_NAME, TG_OP
    USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON lineage_registry.events
  FOR EACH STATEMENT EXECUTE FUNCTION lineage_registry.refuse_change();
`,
};
