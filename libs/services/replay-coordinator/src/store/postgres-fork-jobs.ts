import { withDatabaseErrors } from '@palimpsest/adapter-postgres';
import type { ErrorCode, RunOverlay } from '@palimpsest/contracts';
import { TerminalError } from '@palimpsest/kernel';
import type { Pool } from 'pg';
import type { ForkJob } from '../domain/fork-job.js';
import type { ForkJobStore } from './fork-job-store.js';

type ForkJobRow = Omit<ForkJob, 'target' | 'overlay' | 'overlayDigest' | 'failedCode'> & {
  readonly target: number | null;
  readonly overlay: RunOverlay | null;
  readonly overlayDigest: string | null;
  readonly failedCode: ErrorCode | null;
};

const COLUMNS = `tenant_id AS "tenantId", fork_run_id AS "forkRunId", source_run_id AS "sourceRunId",
  mode, from_seq AS "fromSeq", target, overlay, overlay_digest AS "overlayDigest", failed_code AS "failedCode"`;

const FIND = `SELECT ${COLUMNS} FROM replay_coordinator.fork_jobs WHERE tenant_id = $1 AND fork_run_id = $2`;

const RECORD = `INSERT INTO replay_coordinator.fork_jobs
  (tenant_id, fork_run_id, source_run_id, mode, from_seq, target, recorded_at, overlay, overlay_digest)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`;

const OPEN = `SELECT ${COLUMNS} FROM replay_coordinator.fork_jobs
  WHERE closed_at IS NULL AND failed_at IS NULL AND recorded_at < $1 ORDER BY recorded_at LIMIT $2`;

const CLOSE = `UPDATE replay_coordinator.fork_jobs SET closed_at = $3
  WHERE tenant_id = $1 AND fork_run_id = $2 AND closed_at IS NULL AND failed_at IS NULL`;

const FAIL = `UPDATE replay_coordinator.fork_jobs SET failed_at = $3, failed_code = $4
  WHERE tenant_id = $1 AND fork_run_id = $2 AND closed_at IS NULL AND failed_at IS NULL`;

export class PostgresForkJobs implements ForkJobStore {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async find(tenantId: string, forkRunId: string): Promise<ForkJob | undefined> {
    return (await this.#rows(FIND, [tenantId, forkRunId]))[0];
  }

  async record(job: ForkJob, at: Date): Promise<ForkJob> {
    const { tenantId, forkRunId, sourceRunId, mode, fromSeq, target = null } = job;
    const overlay = job.overlay ? JSON.stringify(job.overlay) : null;
    const { overlayDigest = null } = job;
    const place = [tenantId, forkRunId, sourceRunId, mode, fromSeq, target];
    await this.#rows(RECORD, [...place, at, overlay, overlayDigest]);
    const recorded = await this.find(tenantId, forkRunId);
    if (!recorded) throw new TerminalError('internal_error', 'A recorded fork job is gone.');
    return recorded;
  }

  open(before: Date, limit: number): Promise<readonly ForkJob[]> {
    return this.#rows(OPEN, [before, limit]);
  }

  async close(job: ForkJob, at: Date): Promise<void> {
    await this.#rows(CLOSE, [job.tenantId, job.forkRunId, at]);
  }

  async fail(job: ForkJob, code: ErrorCode, at: Date): Promise<void> {
    await this.#rows(FAIL, [job.tenantId, job.forkRunId, at, code]);
  }

  async #rows(sql: string, values: readonly unknown[]): Promise<readonly ForkJob[]> {
    const { rows } = await withDatabaseErrors(() => this.#pool.query<ForkJobRow>(sql, [...values]));
    return rows.map(({ target, overlay, overlayDigest, failedCode, ...job }) => ({
      ...job,
      ...(target !== null && { target }),
      ...(overlay && { overlay }),
      ...(overlayDigest !== null && { overlayDigest }),
      ...(failedCode !== null && { failedCode }),
    }));
  }
}
