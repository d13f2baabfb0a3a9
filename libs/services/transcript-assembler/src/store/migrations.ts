import type { MigrationSet } from '@palimpsest/adapter-postgres';

const SUMMARY_JOBS = `
-- Jobs given to the summarizer workers. A job without a result is published again after a restart. Rows stay:
-- they are how often a run had something summarized.
CREATE TABLE transcript_assembler.summary_jobs (
  tenant_id text NOT NULL,
  job_id text NOT NULL,
  run_id text NOT NULL,
  -- Places and artifact ids; never content. Null once answered.
  job jsonb,
  -- The answer that stands.
  result jsonb,
  created_at timestamptz NOT NULL,
  done_at timestamptz,
  PRIMARY KEY (tenant_id, job_id)
);
CREATE INDEX summary_jobs_pending ON transcript_assembler.summary_jobs (created_at) WHERE result IS NULL;
CREATE INDEX summary_jobs_of_run ON transcript_assembler.summary_jobs (tenant_id, run_id);
`;

/** Schema `transcript_assembler`. */
export const assemblerMigrations: MigrationSet = {
  schema: 'transcript_assembler',
  migrations: [{ name: '0001-summary-jobs', sql: SUMMARY_JOBS }],
};
