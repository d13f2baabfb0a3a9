import type { MigrationSet } from '../migrations/migration-set.js';
import { createArtifactStore } from './migrations/0001-artifact-store.js';
import { giveUpRuns } from './migrations/0002-given-up.js';

export const artifactStoreMigrations: MigrationSet = {
  schema: 'artifact_store',
  migrations: [createArtifactStore, giveUpRuns],
};
