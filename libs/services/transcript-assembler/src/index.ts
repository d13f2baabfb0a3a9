export {
  assemblerHandlers,
  TranscriptAssemblerModule,
  type TranscriptAssemblerOptions,
} from './transcript-assembler.module.js';
export { PostgresSummaryJobStore } from './store/postgres-summary-job-store.js';
export { MemorySummaryJobStore } from './store/memory-summary-job-store.js';
export { assemblerMigrations } from './store/migrations.js';
export { type SummaryJobStore } from './store/summary-job-store.js';
