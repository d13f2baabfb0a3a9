import type { Migration } from '@palimpsest/adapter-postgres';

/**
 * Efficiency events as they were recorded. `position` is given before a transaction commits, so it is no order to follow
 * by itself: `transaction_id` is the first part of that order (see `list-telemetry.ts`).
 *
 * An event that a rollout's decision recorded says by which family and version of its state; of any other both are null.
 * One that is a recommendation says what would have been done: it counts nowhere as what was.
 */
export const createTelemetry: Migration = {
  name: '0003-telemetry',
  sql: `
CREATE TABLE lineage_registry.telemetry (
  transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
  position bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  rollout_version integer,
  recommendation boolean NOT NULL DEFAULT false,
  tenant_id text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  family text COLLATE "C",
  event jsonb NOT NULL,
  CHECK ((family IS NULL) = (rollout_version IS NULL)),
  CHECK (family IS NOT NULL OR NOT recommendation)
);

CREATE INDEX telemetry_by_time ON lineage_registry.telemetry (tenant_id, environment, recorded_at);
CREATE INDEX telemetry_decisions ON lineage_registry.telemetry
  (tenant_id, environment, (event->>'task_corpus_id'), position)
  WHERE event->>'event' = 'dispatch_decision' AND NOT recommendation;
CREATE INDEX telemetry_in_commit_order ON lineage_registry.telemetry
  (tenant_id, environment, transaction_id, position);
CREATE INDEX telemetry_positions ON lineage_registry.telemetry (tenant_id, environment, position);
CREATE INDEX telemetry_of_family ON lineage_registry.telemetry (tenant_id, environment, family, rollout_version)
  WHERE family IS NOT NULL;
ALTER TABLE lineage_registry.telemetry ADD PRIMARY KEY (tenant_id, environment, id);

CREATE FUNCTION lineage_registry.refuse_telemetry_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'lineage_registry.telemetry is append-only: % is refused', TG_OP
    USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON lineage_registry.telemetry
  FOR EACH STATEMENT EXECUTE FUNCTION lineage_registry.refuse_telemetry_change();
`,
};
