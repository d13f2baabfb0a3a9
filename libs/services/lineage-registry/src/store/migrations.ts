import type { MigrationSet } from '@palimpsest/adapter-postgres';
import { createWorkgroups } from './migrations/0001-workgroups.js';
import { createRollouts } from './migrations/0002-rollouts.js';
import { createTelemetry } from './migrations/0003-telemetry.js';

export const lineageRegistryMigrations: MigrationSet = {
  schema: 'lineage_registry',
  migrations: [createWorkgroups, createRollouts, createTelemetry],
};
