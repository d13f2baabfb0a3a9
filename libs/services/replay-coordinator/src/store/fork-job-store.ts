import type { ForkJob } from '../domain/fork-job.js';

/** Forks that were allowed, so that none stays half made: a job is open from the preflight to the last event. */
export interface ForkJobStore {
  find(tenantId: string, forkRunId: string): Promise<ForkJob | undefined>;
  /** Records the job, or returns what was recorded under its fork's id before. */
  record(job: ForkJob, at: Date): Promise<ForkJob>;
  /** Open jobs recorded before an instant, oldest first. */
  open(before: Date, limit: number): Promise<readonly ForkJob[]>;
  close(job: ForkJob, at: Date): Promise<void>;
}
