import type { MigrationSet } from '../migrations/migration-set.js';
import { createArtifactStore } from './migrations/0001-artifact-store.js';

export const artifactStoreMigrations: MigrationSet = {
  schema: 'artifact_store',
  migrations: [createArtifactStore],
};
