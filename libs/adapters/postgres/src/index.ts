export { createPool, type PoolOptions } from './connection/create-pool.js';
export { createDatabase } from './connection/create-database.js';
export { isAnswering } from './connection/is-answering.js';
export { isDatabaseUnavailable, withDatabaseErrors } from './connection/database-errors.js';
export {
  MigrationError,
  type AppliedMigration,
  type Migration,
  type MigrationSet,
  type MigrationTransaction,
} from './migrations/migration-set.js';
export { runMigrations } from './migrations/run-migrations.js';
export { BUS_MIGRATIONS } from './stream-store/bus-migrations.js';
export { PostgresStreamStore } from './stream-store/postgres-stream-store.js';
export { inTransaction } from './artifact-store/in-transaction.js';
export { nodeContentHash } from './artifact-store/node-content-hash.js';
export { artifactStoreMigrations } from './artifact-store/artifact-store-migrations.js';
export {
  PostgresArtifactStore,
  type PostgresArtifactStoreOptions,
} from './artifact-store/postgres-artifact-store.js';
export { runLogMigrations } from './event-log/migrations.js';
export { PostgresEventLog } from './event-log/postgres-event-log.js';
