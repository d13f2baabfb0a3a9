import type { ForkOrigin, JsonObject, RunHeader, RunStatus } from '@palimpsest/contracts';

/** Columns of `run_log.runs`. */
export type RunRow = {
  readonly tenant_id: string;
  readonly run_id: string;
  readonly workflow_id: string;
  readonly status: RunStatus;
  readonly head: number;
  readonly state: JsonObject;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly origin_run_id: string | null;
  readonly origin_sequence: number | null;
  readonly origin_mode: ForkOrigin['mode'] | null;
  readonly link: Buffer | null;
};

export type RunLogTables = { 'run_log.runs': RunRow };

export function runHeader(row: RunRow): RunHeader {
  const { origin_run_id: runId, origin_sequence: fromSequence, origin_mode: mode } = row;
  return {
    tenantId: row.tenant_id,
    runId: row.run_id,
    workflowId: row.workflow_id,
    status: row.status,
    head: row.head,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    state: row.state,
    ...(runId !== null &&
      fromSequence !== null &&
      mode !== null && { origin: { runId, fromSequence, mode } }),
    ...(row.link && { link: row.link.toString('hex') }),
  };
}
