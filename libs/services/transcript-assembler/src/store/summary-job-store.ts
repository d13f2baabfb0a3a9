import type {
  ClaimSummary,
  ProviderUsage,
  SummaryClaim,
  SummaryJob,
  SummaryResult,
} from '@palimpsest/contracts';

export type JobKey = Pick<SummaryJob, 'tenantId' | 'jobId'>;
export type JobRun = Pick<SummaryJob, 'tenantId' | 'runId'>;

/** How a job comes to be. `nodeId`: of a loop's run, the supervisor whose turn it is for. */
export type JobOpening = { readonly at: Date; readonly nodeId?: string };

/** A job that was given before its summary was needed, and its answer, where it has one. */
export type AheadJob = { readonly job: SummaryJob; readonly result?: SummaryResult };

/** `times`: how often a job's lease has run out. */
export type LapsedJob = { readonly job: SummaryJob; readonly times: number };

/**
 * Jobs given to the summarizer workers: open, then answered by the first answer that is told. One that was given ahead and
 * is not wanted any more is neither: it waits for nobody. Every time is the caller's.
 */
export interface SummaryJobStore {
  /** Records the job; returns its answer where it has one already. */
  open(job: SummaryJob, opening: JobOpening): Promise<SummaryResult | undefined>;
  /** As `open`, in the place of the run's job that was given ahead before: of those there is one. */
  openAhead(job: SummaryJob, opening: JobOpening): Promise<SummaryResult | undefined>;
  /** The run's job that was given ahead, last. */
  aheadOf(run: JobRun): Promise<AheadJob | undefined>;
  /** Gives an open job to a worker for a time. The same claimant may claim again. */
  claim(claim: ClaimSummary, at: Date): Promise<SummaryClaim['verdict']>;
  /** Records an answer; the first one stands and is returned, without its `invocations`: those of every answer are kept apart. */
  complete(result: SummaryResult, at: Date): Promise<SummaryResult>;
  resultOf(job: JobKey): Promise<SummaryResult | undefined>;
  /** The run that a job is for; undefined where there is no such job. */
  ownerOf(job: JobKey): Promise<{ readonly runId: string; readonly nodeId?: string } | undefined>;
  /** What every answer that was told for a job has cost, by invocation. */
  billedFor(job: JobKey): Promise<Readonly<Record<string, ProviderUsage>>>;
  /** Open jobs, oldest first. */
  pending(limit: number): Promise<readonly SummaryJob[]>;
  /** Ends leases that have run out, oldest first, and returns their jobs: each at most {@link MOST_LAPSES} times. */
  lapsed(limit: number, at: Date): Promise<readonly LapsedJob[]>;
  /** How many jobs the run's windows have asked for: on a replay none. */
  countOf(run: JobRun): Promise<number>;
}

/** A job that so many workers did not come back from is not given out again until the next start. */
export const MOST_LAPSES = 5;

/** The result as it stands, and what it has cost apart from it. */
export function withoutBill({ invocations = [], ...result }: SummaryResult): {
  readonly result: SummaryResult;
  readonly billed: Readonly<Record<string, ProviderUsage>>;
} {
  return {
    result,
    billed: Object.fromEntries(invocations.map(({ invocationId, usage }) => [invocationId, usage])),
  };
}
