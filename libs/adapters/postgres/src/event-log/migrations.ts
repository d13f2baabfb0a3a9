import type { MigrationSet } from '../migrations/migration-set.js';
import { createRunLog } from './migrations/0001-run-log.js';
import { indexUnfinishedRuns } from './migrations/0002-unfinished-runs.js';
import { chainEvents } from './migrations/0003-chain.js';
import { linkInARow } from './migrations/0004-links.js';

export const runLogMigrations: MigrationSet = {
  schema: 'run_log',
  migrations: [createRunLog, indexUnfinishedRuns, chainEvents, linkInARow],
};
