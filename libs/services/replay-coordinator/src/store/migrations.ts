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
    {
      name: '0003-failed-jobs-and-overlay-digests',
      sql: `ALTER TABLE replay_coordinator.fork_jobs
        ADD COLUMN overlay_digest text, ADD COLUMN failed_at timestamptz, ADD COLUMN failed_code text;
      DROP INDEX replay_coordinator.fork_jobs_open;
      CREATE INDEX fork_jobs_open ON replay_coordinator.fork_jobs (recorded_at)
        WHERE closed_at IS NULL AND failed_at IS NULL`,
    },
  ],
};
