import type { MigrationSet } from '../migrations/migration-set.js';
import { createRunLog } from './migrations/0001-run-log.js';

export const runLogMigrations: MigrationSet = { schema: 'run_log', migrations: [createRunLog] };
