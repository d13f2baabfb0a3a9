import { withDatabaseErrors } from '@palimpsest/adapter-postgres';
import {
  providerUsageSchema,
  summaryJobSchema,
  summaryResultSchema,
  type ClaimSummary,
  type ProviderUsage,
  type SummaryClaim,
  type SummaryJob,
  type SummaryResult,
} from '@palimpsest/contracts';
import type { Pool } from 'pg';
import * as sql from './summary-job-sql.js';
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

type Row = {
  readonly job?: unknown;
  readonly result?: unknown;
  readonly billed?: Readonly<Record<string, unknown>>;
  readonly run_id?: string;
  readonly node_id?: string | null;
  readonly verdict?: SummaryClaim['verdict'];
  readonly lapses?: number;
  readonly jobs?: number;
};

export class PostgresSummaryJobStore implements SummaryJobStore {
  constructor(private readonly pool: Pool) {}

  async open(job: SummaryJob, opening: JobOpening): Promise<SummaryResult | undefined> {
    return resultIn(await this.rows(sql.OPEN, openingValues(job, opening)));
  }

  async openAhead(job: SummaryJob, opening: JobOpening): Promise<SummaryResult | undefined> {
    return resultIn(await this.rows(sql.OPEN_AHEAD, openingValues(job, opening)));
  }

  async aheadOf({ tenantId, runId }: JobRun): Promise<AheadJob | undefined> {
    const rows = await this.rows(sql.AHEAD, [tenantId, runId]);
    const result = resultIn(rows);
    return rows[0] && { job: summaryJobSchema.parse(rows[0].job), ...(result && { result }) };
  }

  async claim(
    { tenantId, jobId, claimant, leaseMs }: ClaimSummary,
    at: Date,
  ): Promise<SummaryClaim['verdict']> {
    const until = new Date(at.getTime() + leaseMs);
    const rows = await this.rows(sql.CLAIM, [tenantId, jobId, claimant, until, at]);
    return rows[0]?.verdict ?? 'done';
  }

  async complete(told: SummaryResult, at: Date): Promise<SummaryResult> {
    const { result, billed } = withoutBill(told);
    const { tenantId, jobId } = result;
    const values = [tenantId, jobId, JSON.stringify(result), at, JSON.stringify(billed)];
    return resultIn(await this.rows(sql.COMPLETE, values)) ?? result;
  }

  async resultOf({ tenantId, jobId }: JobKey): Promise<SummaryResult | undefined> {
    return resultIn(await this.rows(sql.ROW, [tenantId, jobId]));
  }

  async ownerOf({
    tenantId,
    jobId,
  }: JobKey): Promise<{ readonly runId: string; readonly nodeId?: string } | undefined> {
    const [row] = await this.rows(sql.ROW, [tenantId, jobId]);
    if (row?.run_id === undefined) return undefined;
    return { runId: row.run_id, ...(row.node_id && { nodeId: row.node_id }) };
  }

  async billedFor({ tenantId, jobId }: JobKey): Promise<Readonly<Record<string, ProviderUsage>>> {
    const [row] = await this.rows(sql.ROW, [tenantId, jobId]);
    const billed = Object.entries(row?.billed ?? {});
    return Object.fromEntries(billed.map(([id, usage]) => [id, providerUsageSchema.parse(usage)]));
  }

  async pending(limit: number): Promise<readonly SummaryJob[]> {
    const rows = await this.rows(sql.PENDING, [limit]);
    return rows.map(({ job }) => summaryJobSchema.parse(job));
  }

  async lapsed(limit: number, at: Date): Promise<readonly LapsedJob[]> {
    const rows = await this.rows(sql.LAPSED, [limit, at, MOST_LAPSES]);
    return rows.map(({ job, lapses = 0 }) => ({ job: summaryJobSchema.parse(job), times: lapses }));
  }

  async countOf({ tenantId, runId }: JobRun): Promise<number> {
    const rows = await this.rows(sql.COUNT, [tenantId, runId]);
    return rows[0]?.jobs ?? 0;
  }

  private async rows(text: string, values: readonly unknown[]): Promise<Row[]> {
    const { rows } = await withDatabaseErrors(() => this.pool.query<Row>(text, [...values]));
    return rows;
  }
}

function openingValues(job: SummaryJob, { at, nodeId }: JobOpening): unknown[] {
  return [job.tenantId, job.jobId, job.runId, JSON.stringify(job), at, nodeId ?? null];
}

function resultIn(rows: readonly { result?: unknown }[]): SummaryResult | undefined {
  const result = rows[0]?.result;
  return result ? summaryResultSchema.parse(result) : undefined;
}
