import { withDatabaseErrors } from '@palimpsest/adapter-postgres';
import {
  summaryJobSchema,
  summaryResultSchema,
  type SummaryJob,
  type SummaryResult,
} from '@palimpsest/contracts';
import type { Pool } from 'pg';
import type { SummaryJobStore } from './summary-job-store.js';

/** Insert or find: the second to open a job reads the answer of the first. */
const OPEN = `
WITH opened AS (
  INSERT INTO transcript_assembler.summary_jobs (tenant_id, job_id, job, created_at)
  VALUES ($1, $2, $3, $4) ON CONFLICT (tenant_id, job_id) DO NOTHING
)
SELECT result FROM transcript_assembler.summary_jobs WHERE tenant_id = $1 AND job_id = $2`;

/** The first answer stands: a later one changes nothing and reads it. */
const COMPLETE = `
INSERT INTO transcript_assembler.summary_jobs AS known (tenant_id, job_id, result, created_at, done_at)
VALUES ($1, $2, $3, $4, $4)
ON CONFLICT (tenant_id, job_id) DO UPDATE
  SET result = coalesce(known.result, excluded.result), done_at = coalesce(known.done_at, excluded.done_at)
RETURNING result`;

const RESULT = `SELECT result FROM transcript_assembler.summary_jobs WHERE tenant_id = $1 AND job_id = $2`;

const PENDING = `
SELECT job FROM transcript_assembler.summary_jobs
WHERE result IS NULL AND job IS NOT NULL ORDER BY created_at LIMIT $1`;

const PRUNE = `DELETE FROM transcript_assembler.summary_jobs WHERE result IS NOT NULL AND done_at < $1`;

export class PostgresSummaryJobStore implements SummaryJobStore {
  constructor(private readonly pool: Pool) {}

  async open(job: SummaryJob, at: Date): Promise<SummaryResult | undefined> {
    const rows = await this.rows(OPEN, [job.tenantId, job.jobId, JSON.stringify(job), at]);
    return resultIn(rows);
  }

  async complete(result: SummaryResult, at: Date): Promise<SummaryResult> {
    const rows = await this.rows(COMPLETE, [result.tenantId, result.jobId, JSON.stringify(result), at]);
    return resultIn(rows) ?? result;
  }

  async resultOf({
    tenantId,
    jobId,
  }: Pick<SummaryJob, 'tenantId' | 'jobId'>): Promise<SummaryResult | undefined> {
    return resultIn(await this.rows(RESULT, [tenantId, jobId]));
  }

  async pending(limit: number): Promise<readonly SummaryJob[]> {
    const rows = await this.rows(PENDING, [limit]);
    return rows.map(({ job }) => summaryJobSchema.parse(job));
  }

  async prune(before: Date): Promise<number> {
    const { rowCount } = await withDatabaseErrors(() => this.pool.query(PRUNE, [before]));
    return rowCount ?? 0;
  }

  private async rows(
    sql: string,
    values: readonly unknown[],
  ): Promise<{ job?: unknown; result?: unknown }[]> {
    const { rows } = await withDatabaseErrors(() =>
      this.pool.query<{ job?: unknown; result?: unknown }>(sql, [...values]),
    );
    return rows;
  }
}

function resultIn(rows: readonly { result?: unknown }[]): SummaryResult | undefined {
  const result = rows[0]?.result;
  return result ? summaryResultSchema.parse(result) : undefined;
}
