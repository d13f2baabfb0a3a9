export { OrchestratorModule, type OrchestratorModuleOptions } from './orchestrator.module.js';
export { type ChildRuns, type Planner, type Turn } from './orchestrator-ports.js';
export { type DefinitionStore, type DefinitionEntry } from './definitions/definition-store.js';
export { type Timer, type TimerStore } from './timers/timer-store.js';
export { PostgresDefinitionStore } from './store/postgres-definition-store.js';
export { PostgresTimerStore } from './store/postgres-timer-store.js';
export { orchestratorMigrations } from './store/migrations.js';
