export { RunLogModule, type RunLogModuleOptions } from './run-log.module.js';
export { type CheckpointStore } from './relay/checkpoint-store.js';
export { wakeListeners } from './relay/wake-listeners.js';
export { MemoryCheckpoints } from './relay/memory-checkpoints.js';
export { PostgresCheckpoints } from './store/postgres-checkpoints.js';
export { runLogRelayMigrations } from './store/migrations.js';
