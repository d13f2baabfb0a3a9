import type { ErrorCode } from '@palimpsest/contracts';
import type { ForkJob } from '../domain/fork-job.js';
import type { ForkJobStore } from './fork-job-store.js';

/** Fork jobs of one process's life, for tests. */
export class MemoryForkJobs implements ForkJobStore {
  readonly #rows = new Map<string, { job: ForkJob; readonly at: Date; closed: boolean }>();

  find(tenantId: string, forkRunId: string): Promise<ForkJob | undefined> {
    return Promise.resolve(this.#rows.get(keyOf(tenantId, forkRunId))?.job);
  }

  record(job: ForkJob, at: Date): Promise<ForkJob> {
    const key = keyOf(job.tenantId, job.forkRunId);
    const row = this.#rows.get(key) ?? { job, at, closed: false };
    this.#rows.set(key, row);
    return Promise.resolve(row.job);
  }

  open(before: Date, limit: number): Promise<readonly ForkJob[]> {
    const rows = [...this.#rows.values()].filter(({ closed, at }) => !closed && at < before);
    return Promise.resolve(rows.slice(0, limit).map(({ job }) => job));
  }

  close(job: ForkJob): Promise<void> {
    const row = this.#rows.get(keyOf(job.tenantId, job.forkRunId));
    if (row) row.closed = true;
    return Promise.resolve();
  }

  fail(job: ForkJob, failedCode: ErrorCode): Promise<void> {
    const row = this.#rows.get(keyOf(job.tenantId, job.forkRunId));
    if (row && !row.closed) Object.assign(row, { closed: true, job: { ...row.job, failedCode } });
    return Promise.resolve();
  }
}

function keyOf(tenantId: string, forkRunId: string): string {
  return `${tenantId}/${forkRunId}`;
}
