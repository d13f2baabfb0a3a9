import type { Migration } from '../../migrations/migration-set.js';

/**
 * `runs` is the head and the projection of each log; `events` the log; `commands` remembers which append a
 * command made; `segments` holds a fork's ancestors, flattened: whose events it shares, from where to where.
 *
 * `events` has no foreign key and no `event_id`: one statement writes it together with `runs`, and the id is a
 * function of run and sequence. `payload_bytes` lets a page be cut without reading payloads.
 *
 * Primary keys come after the other indexes: on an empty table all cost the same, of equals the planner takes the
 * newest, and the plan is kept while the table grows.
 */
export const createRunLog: Migration = {
  name: '0001-run-log',
  sql: `
CREATE TABLE run_log.runs (
  tenant_id text COLLATE "C" NOT NULL,
  run_id text COLLATE "C" NOT NULL,
  workflow_id text NOT NULL,
  status text NOT NULL,
  head integer NOT NULL,
  state jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  origin_run_id text COLLATE "C",
  origin_sequence integer,
  origin_mode text,
  CHECK (num_nulls(origin_run_id, origin_sequence, origin_mode) IN (0, 3))
) WITH (fillfactor = 70); -- room for the new version of a row beside the old one: every append makes one

CREATE INDEX runs_newest ON run_log.runs (tenant_id, created_at, run_id);
CREATE INDEX runs_newest_of_status ON run_log.runs (tenant_id, status, created_at, run_id);
ALTER TABLE run_log.runs ADD PRIMARY KEY (tenant_id, run_id);

CREATE TABLE run_log.events (
  transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
  global_position bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  recorded_at timestamptz NOT NULL,
  sequence integer NOT NULL CHECK (sequence >= 0),
  schema_version integer NOT NULL,
  payload_bytes integer NOT NULL,
  tokens_o200k_base integer,
  tokens_cl100k_base integer,
  tokens_chars integer,
  tenant_id text COLLATE "C" NOT NULL,
  run_id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  node_id text,
  causation_id text,
  payload jsonb NOT NULL
);

CREATE INDEX events_of_type ON run_log.events (tenant_id, run_id, type, sequence);
CREATE INDEX events_in_commit_order ON run_log.events (transaction_id, global_position);
ALTER TABLE run_log.events ADD PRIMARY KEY (tenant_id, run_id, sequence);

CREATE TABLE run_log.commands (
  tenant_id text COLLATE "C" NOT NULL,
  run_id text COLLATE "C" NOT NULL,
  command_id text COLLATE "C" NOT NULL,
  first_sequence integer NOT NULL,
  last_sequence integer NOT NULL,
  PRIMARY KEY (tenant_id, run_id, command_id)
);

-- An ancestor whose own events lie behind the fork point shares none: its range is empty (last < first), and its
-- row says that the fork's history is shared with it up to last_sequence.
CREATE TABLE run_log.segments (
  tenant_id text COLLATE "C" NOT NULL,
  run_id text COLLATE "C" NOT NULL,
  source_run_id text COLLATE "C" NOT NULL,
  first_sequence integer NOT NULL,
  last_sequence integer NOT NULL,
  PRIMARY KEY (tenant_id, run_id, source_run_id)
);

CREATE FUNCTION run_log.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'run_log.% is append-only: % is refused', TG_TABLE_NAME, TG_OP
    USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON run_log.events
  FOR EACH STATEMENT EXECUTE FUNCTION run_log.refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON run_log.segments
  FOR EACH STATEMENT EXECUTE FUNCTION run_log.refuse_change();
`,
};
