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
  INSERT INTO transcript_assembler.summary_jobs (tenant_id, job_id, run_id, job, created_at)
  VALUES ($1, $2, $3, $4, $5) ON CONFLICT (tenant_id, job_id) DO NOTHING
)
SELECT result FROM transcript_assembler.summary_jobs WHERE tenant_id = $1 AND job_id = $2`;

/** The first answer stands: a later one changes nothing and reads it. */
const COMPLETE = `
UPDATE transcript_assembler.summary_jobs
SET result = coalesce(result, $3), done_at = coalesce(done_at, $4), job = NULL
WHERE tenant_id = $1 AND job_id = $2
RETURNING result`;

const RESULT = `SELECT result FROM transcript_assembler.summary_jobs WHERE tenant_id = $1 AND job_id = $2`;

const PENDING = `
SELECT job FROM transcript_assembler.summary_jobs
WHERE result IS NULL AND job IS NOT NULL ORDER BY created_at LIMIT $1`;

const COUNT = `SELECT count(*)::integer AS jobs FROM transcript_assembler.summary_jobs WHERE tenant_id = $1 AND run_id = $2`;

type Row = { readonly job?: unknown; readonly result?: unknown; readonly jobs?: number };

export class PostgresSummaryJobStore implements SummaryJobStore {
  constructor(private readonly pool: Pool) {}

  async open(job: SummaryJob, at: Date): Promise<SummaryResult | undefined> {
    const rows = await this.rows(OPEN, [job.tenantId, job.jobId, job.runId, JSON.stringify(job), at]);
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

  async countOf({ tenantId, runId }: Pick<SummaryJob, 'tenantId' | 'runId'>): Promise<number> {
    const rows = await this.rows(COUNT, [tenantId, runId]);
    return rows[0]?.jobs ?? 0;
  }

  private async rows(sql: string, values: readonly unknown[]): Promise<Row[]> {
    const { rows } = await withDatabaseErrors(() => this.pool.query<Row>(sql, [...values]));
    return rows;
  }
}

function resultIn(rows: readonly { result?: unknown }[]): SummaryResult | undefined {
  const result = rows[0]?.result;
  return result ? summaryResultSchema.parse(result) : undefined;
}
