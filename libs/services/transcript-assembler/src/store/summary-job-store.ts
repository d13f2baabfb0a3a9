import type { SummaryJob, SummaryResult } from '@palimpsest/contracts';

/** Jobs given to the summarizer workers: `pending`, then `done` with the answer that stands. */
export interface SummaryJobStore {
  /** Records the job; returns its answer where it has one already. */
  open(job: SummaryJob, at: Date): Promise<SummaryResult | undefined>;
  /** Records an answer; the first one stands and is returned. */
  complete(result: SummaryResult, at: Date): Promise<SummaryResult>;
  resultOf(job: Pick<SummaryJob, 'tenantId' | 'jobId'>): Promise<SummaryResult | undefined>;
  /** Jobs without an answer, oldest first. */
  pending(limit: number): Promise<readonly SummaryJob[]>;
  /** How many jobs the run's windows have asked for: on a replay none. */
  countOf(run: Pick<SummaryJob, 'tenantId' | 'runId'>): Promise<number>;
}
