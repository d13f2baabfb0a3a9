import type { MigrationSet } from '@palimpsest/adapter-postgres';

export const orchestratorMigrations: MigrationSet = {
  schema: 'orchestrator',
  migrations: [
    {
      name: '0001-definitions-and-timers',
      sql: `CREATE TABLE orchestrator.workflow_versions (
        digest     text PRIMARY KEY,
        definition jsonb NOT NULL,
        created_at timestamptz NOT NULL
      );
      CREATE TABLE orchestrator.workflows (
        tenant_id   text NOT NULL,
        workflow_id text NOT NULL,
        digest      text NOT NULL REFERENCES orchestrator.workflow_versions,
        fixture     boolean NOT NULL,
        updated_at  timestamptz NOT NULL,
        PRIMARY KEY (tenant_id, workflow_id)
      );
      CREATE TABLE orchestrator.timers (
        tenant_id     text NOT NULL,
        run_id        text NOT NULL,
        head          integer NOT NULL,
        due_at        timestamptz NOT NULL,
        claimed_until timestamptz,
        PRIMARY KEY (tenant_id, run_id)
      );
      CREATE INDEX timers_due ON orchestrator.timers (due_at)`,
    },
    {
      name: '0002-model-invocations',
      sql: `CREATE TABLE orchestrator.model_invocations (
        tenant_id     text NOT NULL,
        run_id        text NOT NULL,
        invocation_id text NOT NULL,
        node_id       text NOT NULL,
        owner         text,
        leased_until  timestamptz,
        answer        jsonb,
        usages        jsonb NOT NULL DEFAULT '[]',
        created_at    timestamptz NOT NULL,
        PRIMARY KEY (tenant_id, run_id, invocation_id)
      );
      CREATE INDEX model_invocations_age ON orchestrator.model_invocations (created_at);
      CREATE TABLE orchestrator.mock_programs (
        tenant_id text NOT NULL,
        node_id   text NOT NULL,
        answers   jsonb NOT NULL,
        taken_by  text[] NOT NULL DEFAULT '{}',
        PRIMARY KEY (tenant_id, node_id)
      )`,
    },
    {
      // Invocations from before have none of them: nothing says what they asked.
      name: '0003-keys-of-calls',
      sql: `ALTER TABLE orchestrator.model_invocations
        ADD COLUMN ordinal integer,
        ADD COLUMN provider text,
        ADD COLUMN model text,
        ADD COLUMN cache_key text`,
    },
    {
      // Never purged: it stands for the outside, which does not forget when the host does. Only hosts with test seams write
      // to it, a row of ids for each effect of a conformance run.
      name: '0004-side-effects',
      sql: `CREATE TABLE orchestrator.side_effects (
        tenant_id     text NOT NULL,
        node_id       text NOT NULL,
        invocation_id text NOT NULL,
        run_id        text NOT NULL,
        PRIMARY KEY (tenant_id, node_id, invocation_id)
      )`,
    },
  ],
};
