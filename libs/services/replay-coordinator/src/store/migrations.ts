import type { MigrationSet } from '@palimpsest/adapter-postgres';

export const replayCoordinatorMigrations: MigrationSet = {
  schema: 'replay_coordinator',
  migrations: [
    {
      name: '0001-fork-jobs',
      sql: `CREATE TABLE replay_coordinator.fork_jobs (
        tenant_id     text NOT NULL,
        fork_run_id   text NOT NULL,
        source_run_id text NOT NULL,
        mode          text NOT NULL CHECK (mode IN ('replay', 'branch')),
        from_seq      integer NOT NULL,
        target        integer,
        recorded_at   timestamptz NOT NULL,
        closed_at     timestamptz,
        PRIMARY KEY (tenant_id, fork_run_id)
      );
      CREATE INDEX fork_jobs_open ON replay_coordinator.fork_jobs (recorded_at) WHERE closed_at IS NULL`,
    },
    {
      name: '0002-overlays',
      sql: 'ALTER TABLE replay_coordinator.fork_jobs ADD COLUMN overlay jsonb',
    },
  ],
};
