import type { Migration } from '../../migrations/migration-set.js';

/** Runs that the host executes and that have not ended are few among all that ever were. */
export const indexUnfinishedRuns: Migration = {
  name: '0002-unfinished-runs',
  sql: `
CREATE INDEX runs_unfinished ON run_log.runs (tenant_id, run_id)
WHERE status NOT IN ('completed', 'failed', 'cancelled') AND workflow_id <> 'palimpsest-external';
`,
};
