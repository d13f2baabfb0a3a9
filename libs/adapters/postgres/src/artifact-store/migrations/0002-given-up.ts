import type { Migration } from '../../migrations/migration-set.js';

/**
 * What a run gave up it does not use any more: its link to an artifact, or a fork's right to its source's. The rows stay,
 * as forks of that run go on to read through them. The indexes find who else refers to an artifact, who was forked from a
 * run, and the few artifacts that are erased.
 */
export const giveUpRuns: Migration = {
  name: '0002-given-up',
  sql: `
ALTER TABLE artifact_store.run_links ADD COLUMN given_up_at timestamptz;
ALTER TABLE artifact_store.run_sources ADD COLUMN given_up_at timestamptz;
CREATE INDEX run_links_by_artifact ON artifact_store.run_links (tenant_id, artifact_id);
CREATE INDEX run_sources_by_source ON artifact_store.run_sources (tenant_id, source_run_id);
CREATE INDEX erased_artifacts ON artifact_store.artifacts (tenant_id, artifact_id) WHERE erased_at IS NOT NULL;
`,
};
