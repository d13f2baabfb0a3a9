export { ReplayCoordinatorModule, type ReplayCoordinatorModuleOptions } from './replay-coordinator.module.js';
export { type ForkJobStore } from './store/fork-job-store.js';
export { MemoryForkJobs } from './store/memory-fork-jobs.js';
export { PostgresForkJobs } from './store/postgres-fork-jobs.js';
export { replayCoordinatorMigrations } from './store/migrations.js';
export { type ForkJob } from './domain/fork-job.js';
export {
  FORK_COMPLETE,
  FORK_LINKED,
  FORK_ROW_WRITTEN,
  JOB_RECORDED,
  PAGE_READ,
  PAGE_WRITTEN,
} from './race-points.js';
