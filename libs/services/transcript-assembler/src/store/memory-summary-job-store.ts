import type { SummaryJob, SummaryResult } from '@palimpsest/contracts';
import type { SummaryJobStore } from './summary-job-store.js';

type Row = { readonly job: SummaryJob | undefined; readonly result?: SummaryResult; readonly doneAt?: Date };

/** Twin of the Postgres store for tests in one process. */
export class MemorySummaryJobStore implements SummaryJobStore {
  readonly #rows = new Map<string, Row>();

  open(job: SummaryJob): Promise<SummaryResult | undefined> {
    const row = this.#rows.get(key(job));
    if (!row) this.#rows.set(key(job), { job });
    return Promise.resolve(row?.result);
  }

  complete(result: SummaryResult, at: Date): Promise<SummaryResult> {
    const row = this.#rows.get(key(result));
    if (row?.result) return Promise.resolve(row.result);
    this.#rows.set(key(result), { job: row?.job, result, doneAt: at });
    return Promise.resolve(result);
  }

  resultOf(job: Pick<SummaryJob, 'tenantId' | 'jobId'>): Promise<SummaryResult | undefined> {
    return Promise.resolve(this.#rows.get(key(job))?.result);
  }

  pending(limit: number): Promise<readonly SummaryJob[]> {
    const open = [...this.#rows.values()].flatMap(({ job, result }) => (job && !result ? [job] : []));
    return Promise.resolve(open.slice(0, limit));
  }

  prune(before: Date): Promise<number> {
    const old = [...this.#rows].filter(([, { doneAt }]) => doneAt && doneAt < before);
    old.forEach(([id]) => this.#rows.delete(id));
    return Promise.resolve(old.length);
  }
}

function key({ tenantId, jobId }: Pick<SummaryJob, 'tenantId' | 'jobId'>): string {
  return `${tenantId} ${jobId}`;
}
