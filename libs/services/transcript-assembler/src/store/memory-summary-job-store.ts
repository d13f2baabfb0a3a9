import type { SummaryJob, SummaryResult } from '@palimpsest/contracts';
import type { SummaryJobStore } from './summary-job-store.js';

type Row = { readonly job: SummaryJob; readonly result?: SummaryResult };

/** Twin of the Postgres store for tests in one process. */
export class MemorySummaryJobStore implements SummaryJobStore {
  readonly #rows = new Map<string, Row>();

  open(job: SummaryJob): Promise<SummaryResult | undefined> {
    const row = this.#rows.get(key(job));
    if (!row) this.#rows.set(key(job), { job });
    return Promise.resolve(row?.result);
  }

  complete(result: SummaryResult): Promise<SummaryResult> {
    const row = this.#rows.get(key(result));
    if (!row || row.result) return Promise.resolve(row?.result ?? result);
    this.#rows.set(key(result), { ...row, result });
    return Promise.resolve(result);
  }

  resultOf(job: Pick<SummaryJob, 'tenantId' | 'jobId'>): Promise<SummaryResult | undefined> {
    return Promise.resolve(this.#rows.get(key(job))?.result);
  }

  pending(limit: number): Promise<readonly SummaryJob[]> {
    const open = [...this.#rows.values()].filter(({ result }) => !result);
    return Promise.resolve(open.slice(0, limit).map(({ job }) => job));
  }

  countOf({ tenantId, runId }: Pick<SummaryJob, 'tenantId' | 'runId'>): Promise<number> {
    const rows = [...this.#rows.values()];
    return Promise.resolve(rows.filter(({ job }) => job.tenantId === tenantId && job.runId === runId).length);
  }
}

function key({ tenantId, jobId }: Pick<SummaryJob, 'tenantId' | 'jobId'>): string {
  return `${tenantId} ${jobId}`;
}
