import type {
  ClaimSummary,
  ProviderUsage,
  SummaryClaim,
  SummaryJob,
  SummaryResult,
} from '@palimpsest/contracts';
import {
  MOST_LAPSES,
  withoutBill,
  type AheadJob,
  type JobKey,
  type JobOpening,
  type JobRun,
  type LapsedJob,
  type SummaryJobStore,
} from './summary-job-store.js';

type Row = JobKey &
  JobRun & {
    readonly nodeId?: string;
    /** Absent once it is answered, or not wanted any more. */
    readonly job?: SummaryJob;
    readonly result?: SummaryResult;
    readonly billed: Readonly<Record<string, ProviderUsage>>;
    readonly ahead: boolean;
    readonly claimant?: string;
    readonly leaseUntil?: number;
    readonly lapses: number;
  };

/** Twin of the Postgres store for tests in one process. */
export class MemorySummaryJobStore implements SummaryJobStore {
  readonly #rows = new Map<string, Row>();

  open(job: SummaryJob, { nodeId }: JobOpening): Promise<SummaryResult | undefined> {
    const { tenantId, jobId, runId } = job;
    const row = this.#rows.get(key(job));
    const opened = row ?? {
      tenantId,
      jobId,
      runId,
      ahead: false,
      lapses: 0,
      billed: {},
      ...(nodeId && { nodeId }),
    };
    this.put(opened.result ? opened : { ...opened, job });
    return Promise.resolve(row?.result);
  }

  async openAhead(job: SummaryJob, opening: JobOpening): Promise<SummaryResult | undefined> {
    for (const row of this.rowsOf(job)) {
      if (!row.ahead || row.jobId === job.jobId) continue;
      const { job: _, ...rest } = row;
      this.put({ ...rest, ahead: false });
    }
    const result = await this.open(job, opening);
    const row = this.#rows.get(key(job));
    if (row) this.put({ ...row, job, ahead: true });
    return result;
  }

  aheadOf(run: JobRun): Promise<AheadJob | undefined> {
    const row = this.rowsOf(run).find(({ ahead }) => ahead);
    if (!row?.job) return Promise.resolve(undefined);
    return Promise.resolve({ job: row.job, ...(row.result && { result: row.result }) });
  }

  claim({ claimant, leaseMs, ...job }: ClaimSummary, at: Date): Promise<SummaryClaim['verdict']> {
    const row = this.#rows.get(key(job));
    if (!row || !isOpen(row)) return Promise.resolve('done');
    const isFree = row.leaseUntil === undefined || row.leaseUntil <= at.getTime();
    if (!isFree && row.claimant !== claimant) return Promise.resolve('taken');
    this.put({ ...row, claimant, leaseUntil: at.getTime() + leaseMs });
    return Promise.resolve('work');
  }

  complete(told: SummaryResult): Promise<SummaryResult> {
    const { result, billed } = withoutBill(told);
    const row = this.#rows.get(key(told));
    if (!row) return Promise.resolve(result);
    const { job, ...rest } = row;
    const standing = row.result ?? result;
    this.put({
      ...rest,
      result: standing,
      billed: { ...row.billed, ...billed },
      ...(row.ahead && job && { job }),
    });
    return Promise.resolve(standing);
  }

  resultOf(job: JobKey): Promise<SummaryResult | undefined> {
    return Promise.resolve(this.#rows.get(key(job))?.result);
  }

  ownerOf(job: JobKey): Promise<{ readonly runId: string; readonly nodeId?: string } | undefined> {
    const row = this.#rows.get(key(job));
    const { runId, nodeId } = row ?? {};
    return Promise.resolve(runId === undefined ? undefined : { runId, ...(nodeId && { nodeId }) });
  }

  billedFor(job: JobKey): Promise<Readonly<Record<string, ProviderUsage>>> {
    return Promise.resolve(this.#rows.get(key(job))?.billed ?? {});
  }

  pending(limit: number): Promise<readonly SummaryJob[]> {
    return Promise.resolve(
      this.openRows()
        .slice(0, limit)
        .map(({ job }) => job),
    );
  }

  lapsed(limit: number, at: Date): Promise<readonly LapsedJob[]> {
    const lapsed = this.openRows()
      .filter(({ leaseUntil = Infinity, lapses }) => leaseUntil <= at.getTime() && lapses < MOST_LAPSES)
      .sort((a, b) => (a.leaseUntil ?? 0) - (b.leaseUntil ?? 0))
      .slice(0, limit);
    return Promise.resolve(
      lapsed.map(({ claimant: _, leaseUntil: __, ...row }) => {
        const times = row.lapses + 1;
        this.put({ ...row, lapses: times });
        return { job: row.job, times };
      }),
    );
  }

  countOf(run: JobRun): Promise<number> {
    return Promise.resolve(this.rowsOf(run).length);
  }

  private openRows(): (Row & { readonly job: SummaryJob })[] {
    return [...this.#rows.values()].filter(isOpen);
  }

  private rowsOf({ tenantId, runId }: JobRun): Row[] {
    return [...this.#rows.values()].filter((row) => row.tenantId === tenantId && row.runId === runId);
  }

  private put(row: Row): void {
    this.#rows.set(key(row), row);
  }
}

function isOpen(row: Row): row is Row & { readonly job: SummaryJob } {
  return row.job !== undefined && row.result === undefined;
}

function key({ tenantId, jobId }: JobKey): string {
  return `${tenantId} ${jobId}`;
}
