import type { Pool } from 'pg';
import type { RunHeader } from '@palimpsest/contracts';
import {
  checkForkPoint,
  forkRecordText,
  genesisLink,
  sameForkOrConflict,
  ServiceUnavailableError,
  storableJson,
  type ForkRequest,
} from '@palimpsest/kernel';
import { nodeContentHash } from '../artifact-store/node-content-hash.js';
import { readHeader } from './read-headers.js';
import { runHeader, type RunRow } from './run-row.js';

/**
 * One statement: the fork and its ancestors, or nothing. The source may grow meanwhile: what lies below the fork
 * point never changes. Segments are copied flat, cut at the fork point, so a fork of a fork reads no deeper than a
 * fork. The chain begins with the link of the last event that is shared, whoever wrote it. $1 tenant, $2 fork, $3 source,
 * $4 from, $5 mode, $6 time, $7 status, $8 state, $9 the source's genesis, $10 the fork record.
 */
const FORK = `
WITH source AS (
  SELECT workflow_id, COALESCE(origin_sequence, 0) AS own_from FROM run_log.runs
  WHERE tenant_id = $1 AND run_id = $3 AND $4::int BETWEEN 0 AND head + 1
),
last_shared AS (
  SELECT e.link FROM run_log.events e
  WHERE e.tenant_id = $1 AND e.sequence = $4::int - 1 AND e.run_id = COALESCE(
    (SELECT s.source_run_id FROM run_log.segments s
     WHERE s.tenant_id = $1 AND s.run_id = $3 AND $4::int - 1 BETWEEN s.first_sequence AND s.last_sequence), $3)
),
made AS (
  INSERT INTO run_log.runs (tenant_id, run_id, workflow_id, status, head, state, created_at, updated_at,
    origin_run_id, origin_sequence, origin_mode, link)
  SELECT $1, $2, workflow_id, $7, $4::int - 1, $8::jsonb, $6::timestamptz, $6::timestamptz, $3, $4::int, $5,
    sha256(CASE $4::int WHEN 0 THEN decode($9::text, 'hex') ELSE (SELECT link FROM last_shared) END || convert_to($10::text, 'UTF8'))
  FROM source
  ON CONFLICT (tenant_id, run_id) DO NOTHING
  RETURNING *
),
shared AS (
  INSERT INTO run_log.segments (tenant_id, run_id, source_run_id, first_sequence, last_sequence)
  SELECT $1, $2, s.source_run_id, s.first_sequence, LEAST(s.last_sequence, $4::int - 1)
  FROM made, run_log.segments s WHERE s.tenant_id = $1 AND s.run_id = $3
  UNION ALL
  SELECT $1, $2, $3, source.own_from, $4::int - 1 FROM made, source
)
SELECT * FROM made`;

export async function forkRun(pool: Pool, request: ForkRequest): Promise<RunHeader> {
  const { tenantId, runId, origin } = request;
  const { rows } = await pool.query<RunRow>({
    name: 'run_log.fork',
    text: FORK,
    values: [
      tenantId,
      runId,
      origin.runId,
      origin.fromSequence,
      origin.mode,
      request.at.toISOString(),
      request.status,
      storableJson(request.state, 'state'),
      genesisLink(nodeContentHash, tenantId, origin.runId),
      forkRecordText({ tenantId, runId, origin, createdAt: request.at.toISOString() }),
    ],
  });
  return rows[0] ? runHeader(rows[0]) : whyNotForked(pool, request);
}

async function whyNotForked(pool: Pool, request: ForkRequest): Promise<RunHeader> {
  const standing = await readHeader(pool, request.tenantId, request.runId);
  if (standing) return sameForkOrConflict(standing, request);
  const source = await readHeader(pool, request.tenantId, request.origin.runId);
  checkForkPoint(source?.head, request);
  // The source was there, or grew, only after the statement had looked.
  throw new ServiceUnavailableError('The source of the fork', { retryAfterMs: 0 });
}
