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

const SUMMARY_CLAIMS = `
-- A job whose job and result are both null was given ahead of need and is not wanted any more.
ALTER TABLE transcript_assembler.summary_jobs
  -- The supervisor whose turn a loop's job is for.
  ADD COLUMN node_id text,
  -- Given before its summary was needed: the last one of its run, which keeps its job when it is answered.
  ADD COLUMN ahead boolean NOT NULL DEFAULT false,
  -- What the calls of models have cost that any answer told of, by invocation.
  ADD COLUMN billed jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN claimant text,
  ADD COLUMN lease_until timestamptz,
  -- How often a lease ran out.
  ADD COLUMN lapses integer NOT NULL DEFAULT 0;
CREATE INDEX summary_jobs_ahead ON transcript_assembler.summary_jobs (tenant_id, run_id) WHERE ahead;
CREATE INDEX summary_jobs_claimed ON transcript_assembler.summary_jobs (lease_until)
  WHERE result IS NULL AND lease_until IS NOT NULL;
`;

/** Schema `transcript_assembler`. */
export const assemblerMigrations: MigrationSet = {
  schema: 'transcript_assembler',
  migrations: [
    { name: '0001-summary-jobs', sql: SUMMARY_JOBS },
    { name: '0002-summary-claims', sql: SUMMARY_CLAIMS },
  ],
};
