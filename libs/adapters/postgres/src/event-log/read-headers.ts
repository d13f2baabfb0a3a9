import { sql, type Kysely } from 'kysely';
import type { Pool } from 'pg';
import type { RunHeader } from '@palimpsest/contracts';
import { placeOfRunListCursor, runListCursor, type ListRunsRequest, type RunList } from '@palimpsest/kernel';
import { runHeader, type RunLogTables, type RunRow } from './run-row.js';

const READ_HEADER = 'SELECT * FROM run_log.runs WHERE tenant_id = $1 AND run_id = $2';

/** Most headers of one page. */
const MAX_LISTED = 500;

export async function readHeader(
  pool: Pool,
  tenantId: string,
  runId: string,
): Promise<RunHeader | undefined> {
  const { rows } = await pool.query<RunRow>({
    name: 'run_log.header',
    text: READ_HEADER,
    values: [tenantId, runId],
  });
  return rows[0] && runHeader(rows[0]);
}

export async function listRuns(database: Kysely<RunLogTables>, request: ListRunsRequest): Promise<RunList> {
  const limit = Math.min(request.limit, MAX_LISTED);
  const rows = await pageQuery(database, request)
    .limit(limit + 1)
    .execute();
  const runs = rows.slice(0, limit);
  const last = runs.at(-1);
  return {
    runs: runs.map(runHeader),
    ...(last &&
      rows.length > limit && {
        nextCursor: runListCursor({ createdAt: last.created_at, runId: last.run_id }),
      }),
  };
}

function pageQuery(database: Kysely<RunLogTables>, request: ListRunsRequest) {
  const { tenantId, cursor, status, workflowId } = request;
  let query = database
    .selectFrom('run_log.runs')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('created_at', 'desc')
    .orderBy('run_id', 'desc');
  if (status !== undefined) query = query.where('status', '=', status);
  if (workflowId !== undefined) query = query.where('workflow_id', '=', workflowId);
  if (cursor === undefined) return query;
  const { createdAt, runId } = placeOfRunListCursor(cursor);
  return query.where(
    sql<boolean>`(created_at, run_id) < (${createdAt.toISOString()}::timestamptz, ${runId})`,
  );
}
