import type { Pool } from 'pg';
import {
  SequenceConflictError,
  storableEvents,
  storableJson,
  type AppendRequest,
  type AppendResult,
  type StorableEvent,
} from '@palimpsest/kernel';

/**
 * One statement, one round trip. `moved` decides: a writer that comes second waits for the first one's row, sees
 * that the head has moved, and writes nothing. $1 tenant, $2 run, $3 number of events, $4 time, $5 status, $6 state,
 * $7 command, $8 events, $9 expected head or workflow.
 */
const WRITE_BEHIND_MOVED = `
remembered AS (
  INSERT INTO run_log.commands (tenant_id, run_id, command_id, first_sequence, last_sequence)
  SELECT $1, $2, $7::text, moved.head - $3::int + 1, moved.head FROM moved WHERE $7::text IS NOT NULL
),
written AS (
  INSERT INTO run_log.events (tenant_id, run_id, sequence, type, node_id, causation_id, schema_version, payload,
    payload_bytes, tokens_o200k_base, tokens_cl100k_base, tokens_chars, recorded_at)
  SELECT $1, $2, moved.head - $3::int + e.place, e.type, e.node, e.cause, e.version, e.payload,
    e.bytes, e.o200k, e.cl100k, e.chars, $4::timestamptz
  FROM moved, json_to_recordset($8::json) AS e(place int, type text, node text, cause text, version int,
    payload jsonb, bytes int, o200k int, cl100k int, chars int)
  ORDER BY e.place
)
SELECT head FROM moved`;

const EXTEND_RUN = `
WITH moved AS (
  UPDATE run_log.runs
  SET head = head + $3::int, updated_at = $4::timestamptz,
    status = COALESCE($5::text, status), state = COALESCE($6::jsonb, state)
  WHERE tenant_id = $1 AND run_id = $2 AND head = $9::int
    AND NOT EXISTS (
      SELECT FROM run_log.commands c WHERE c.tenant_id = $1 AND c.run_id = $2 AND c.command_id = $7::text)
  RETURNING head
), ${WRITE_BEHIND_MOVED}`;

const START_RUN = `
WITH moved AS (
  INSERT INTO run_log.runs (tenant_id, run_id, workflow_id, status, head, state, created_at, updated_at)
  VALUES ($1, $2, $9::text, COALESCE($5::text, 'pending'), $3::int - 1, COALESCE($6::jsonb, '{}'),
    $4::timestamptz, $4::timestamptz)
  ON CONFLICT (tenant_id, run_id) DO NOTHING
  RETURNING head
), ${WRITE_BEHIND_MOVED}`;

/** Why nothing was written: the command is there already, or the head is another. */
const RECALL = `
SELECT r.head, c.first_sequence, c.last_sequence
FROM (SELECT) AS once
LEFT JOIN run_log.runs r ON r.tenant_id = $1 AND r.run_id = $2
LEFT JOIN run_log.commands c ON c.tenant_id = $1 AND c.run_id = $2 AND c.command_id = $3`;

type Recalled = { head: number | null; first_sequence: number | null; last_sequence: number | null };

export async function appendEvents(pool: Pool, request: AppendRequest): Promise<AppendResult> {
  const { tenantId, runId, header, expectedHead } = request;
  const events = storableEvents(request);
  const starts = expectedHead === 'no-run';
  const written = await pool.query<{ head: number }>({
    name: starts ? 'run_log.start' : 'run_log.extend',
    text: starts ? START_RUN : EXTEND_RUN,
    values: [
      tenantId,
      runId,
      events.length,
      request.at.toISOString(),
      header?.status ?? null,
      header?.state ? storableJson(header.state, 'header.state') : null,
      request.commandId ?? null,
      `[${events.map(recordJson).join(',')}]`,
      starts ? request.workflowId : expectedHead,
    ],
  });
  const head = written.rows[0]?.head;
  if (head === undefined) return recall(pool, request);
  return { firstSequence: head - events.length + 1, lastSequence: head, repeated: false };
}

async function recall(pool: Pool, request: AppendRequest): Promise<AppendResult> {
  const { tenantId, runId, commandId = null } = request;
  const { rows } = await pool.query<Recalled>({
    name: 'run_log.recall',
    text: RECALL,
    values: [tenantId, runId, commandId],
  });
  const { head, first_sequence, last_sequence } = rows[0] ?? {};
  if (typeof first_sequence === 'number' && typeof last_sequence === 'number')
    return { firstSequence: first_sequence, lastSequence: last_sequence, repeated: true };
  throw new SequenceConflictError(runId, request.expectedHead, head ?? -1);
}

/** A record for `json_to_recordset`; members without a value are left out and read as NULL. */
function recordJson({ event, payloadJson }: StorableEvent, index: number): string {
  const record = JSON.stringify({
    place: index + 1,
    type: event.type,
    node: event.nodeId,
    cause: event.causationId,
    version: event.schemaVersion,
    bytes: Buffer.byteLength(payloadJson),
    o200k: event.counts?.o200k_base,
    cl100k: event.counts?.cl100k_base,
    chars: event.counts?.chars,
  });
  return `${record.slice(0, -1)},"payload":${payloadJson}}`;
}
