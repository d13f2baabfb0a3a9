import type { ErrorCode } from '@palimpsest/contracts';
import type { ForkJob } from '../domain/fork-job.js';

/** Forks that were allowed, so that none stays half made: a job is open from the preflight to the last event, or until it is given up. */
export interface ForkJobStore {
  find(tenantId: string, forkRunId: string): Promise<ForkJob | undefined>;
  /** Records the job, or returns what was recorded under its fork's id before. */
  record(job: ForkJob, at: Date): Promise<ForkJob>;
  /** Open jobs recorded before an instant, oldest first. */
  open(before: Date, limit: number): Promise<readonly ForkJob[]>;
  close(job: ForkJob, at: Date): Promise<void>;
  /** Gives an open job up: it can never be made. Found, it says why. */
  fail(job: ForkJob, code: ErrorCode, at: Date): Promise<void>;
}
