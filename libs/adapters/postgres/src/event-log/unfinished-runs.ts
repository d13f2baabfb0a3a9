import type { Pool } from 'pg';
import type { UnfinishedRun, UnfinishedRunsRequest } from '@palimpsest/kernel';

/**
 * The first conditions are those of the index `runs_unfinished`. A run that waits for an answer may have another branch
 * that goes on: then its state has a clock that runs. A replay goes on once it has repeated what it was to repeat; until then
 * it is its coordinator's.
 */
const UNFINISHED = `
SELECT tenant_id AS "tenantId", run_id AS "runId", head
FROM run_log.runs
WHERE status NOT IN ('completed', 'failed', 'cancelled') AND workflow_id <> 'palimpsest-external'
  AND (status IN ('pending', 'running', 'cancelling') OR state ? 'activeSince')
  AND (origin_mode IS DISTINCT FROM 'replay' OR head >= COALESCE((state ->> 'replayTarget')::integer, 0))
  AND updated_at < $1 AND (tenant_id, run_id) > ($2, $3)
ORDER BY tenant_id, run_id
LIMIT $4`;

export async function unfinishedRuns(
  pool: Pool,
  { updatedBefore, limit, after }: UnfinishedRunsRequest,
): Promise<readonly UnfinishedRun[]> {
  const { rows } = await pool.query<UnfinishedRun>({
    name: 'run_log.unfinished',
    text: UNFINISHED,
    values: [updatedBefore, after?.tenantId ?? '', after?.runId ?? '', limit],
  });
  return rows;
}
