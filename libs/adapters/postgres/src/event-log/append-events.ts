import type { Pool } from 'pg';
import {
  genesisLink,
  SequenceConflictError,
  storableEvents,
  storableJson,
  type AppendRequest,
  type AppendResult,
  type StorableEvent,
} from '@palimpsest/kernel';
import { nodeContentHash } from '../artifact-store/node-content-hash.js';

/** An append that was checked as far as that needs no log. */
export type CheckedAppend = {
  readonly request: AppendRequest;
  readonly events: readonly StorableEvent[];
  readonly stateJson: string | undefined;
};

/** $1 the appends, to different runs; $2 their events. */
const GIVEN = `
given AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS g(number int, tenant text, run text, expected int, workflow text,
    size int, at text, status text, state jsonb, command text, genesis text)
)`;

/** The events of the runs in `standing`, each chained to the one before it and the first to what the run's row says. */
const LINKED = `
linked AS MATERIALIZED (
  SELECT e.*, run_log.link_after(s.link, run_log.said(e.content_hash, g.at, e.cause)) OVER (
    PARTITION BY e.number ORDER BY e.place ROWS UNBOUNDED PRECEDING) AS link
  FROM standing s JOIN given g ON g.number = s.number
  JOIN (
    SELECT *, decode(hash, 'hex') AS content_hash
    FROM json_to_recordset($2::json) AS e(number int, place int, type text, node text, cause text, version int,
      payload jsonb, bytes int, o200k int, cl100k int, chars int, hash text)
  ) AS e ON e.number = g.number
)`;

/**
 * `standing` decides: a writer that comes second waits for the first one's row, sees that the head has moved, and
 * writes nothing. Rows are locked one by one in one order: statements of two processes may want the same ones.
 * `LATERAL` and `ctid` leave the planner nothing but looking each row up: a plan made while the tables were small
 * is kept when they are not. Links come before the run's row moves, as it says the last one; `standing` has the one
 * that they go on from, as of the lock.
 */
const EXTEND_RUNS = `
WITH ${GIVEN},
standing AS MATERIALIZED (
  SELECT g.number, found.place, found.link FROM (SELECT * FROM given ORDER BY tenant COLLATE "C", run COLLATE "C") AS g
  CROSS JOIN LATERAL (
    SELECT r.ctid AS place, r.link FROM run_log.runs r
    WHERE r.tenant_id = g.tenant AND r.run_id = g.run AND r.head = g.expected
      AND NOT EXISTS (SELECT FROM run_log.commands c
        WHERE c.tenant_id = g.tenant AND c.run_id = g.run AND c.command_id = g.command)
    FOR UPDATE OF r
  ) AS found
),
${LINKED},
moved AS (
  UPDATE run_log.runs r
  SET head = r.head + g.size, updated_at = g.at::timestamptz, link = l.link,
    status = COALESCE(g.status, r.status), state = COALESCE(g.state, r.state)
  FROM standing s JOIN given g ON g.number = s.number JOIN linked l ON l.number = g.number AND l.place = g.size
  WHERE r.ctid = s.place
  RETURNING g.number, g.tenant, g.run, g.command, g.size, g.at, r.head
)`;

const START_RUNS = `
WITH ${GIVEN},
standing AS (
  SELECT number, decode(genesis, 'hex') AS link FROM given
),
${LINKED},
started AS (
  INSERT INTO run_log.runs (tenant_id, run_id, workflow_id, status, head, state, created_at, updated_at, link)
  SELECT g.tenant, g.run, g.workflow, COALESCE(g.status, 'pending'), g.size - 1, COALESCE(g.state, '{}'),
    g.at::timestamptz, g.at::timestamptz, l.link
  FROM given g JOIN linked l ON l.number = g.number AND l.place = g.size
  ON CONFLICT (tenant_id, run_id) DO NOTHING
  RETURNING tenant_id, run_id, head
),
moved AS (
  SELECT g.number, g.tenant, g.run, g.command, g.size, g.at, s.head
  FROM started s JOIN given g ON g.tenant = s.tenant_id AND g.run = s.run_id
)`;

const WRITE_BEHIND_MOVED = `,
remembered AS (
  INSERT INTO run_log.commands (tenant_id, run_id, command_id, first_sequence, last_sequence)
  SELECT tenant, run, command, head - size + 1, head FROM moved WHERE command IS NOT NULL
),
written AS (
  INSERT INTO run_log.events (tenant_id, run_id, sequence, type, node_id, causation_id, schema_version, payload,
    payload_bytes, tokens_o200k_base, tokens_cl100k_base, tokens_chars, recorded_at, content_hash, link)
  SELECT m.tenant, m.run, m.head - m.size + e.place, e.type, e.node, e.cause, e.version, e.payload,
    e.bytes, e.o200k, e.cl100k, e.chars, m.at::timestamptz, e.content_hash, e.link
  FROM linked e JOIN moved m ON m.number = e.number
  ORDER BY e.number, e.place
)
SELECT number, head FROM moved`;

const STATEMENTS = {
  start: { name: 'run_log.start', text: START_RUNS + WRITE_BEHIND_MOVED },
  extend: { name: 'run_log.extend', text: EXTEND_RUNS + WRITE_BEHIND_MOVED },
};

/** Why nothing was written: the command is there already, or the head is another. */
const RECALL = `
SELECT r.head, c.first_sequence, c.last_sequence
FROM (SELECT) AS once
LEFT JOIN run_log.runs r ON r.tenant_id = $1 AND r.run_id = $2
LEFT JOIN run_log.commands c ON c.tenant_id = $1 AND c.run_id = $2 AND c.command_id = $3`;

type Moved = { readonly number: number; readonly head: number };
type Recalled = { head: number | null; first_sequence: number | null; last_sequence: number | null };

export function checkedAppend(request: AppendRequest): CheckedAppend {
  const state = request.header?.state;
  return {
    request,
    events: storableEvents(nodeContentHash, request),
    stateJson: state && storableJson(state, 'header.state'),
  };
}

export function startsRun({ request }: CheckedAppend): boolean {
  return request.expectedHead === 'no-run';
}

/**
 * Appends to different runs in one statement, one round trip, one transaction: all start runs, or none does. The
 * heads that they have moved to, in order; undefined where one has written nothing, which leaves the others alone.
 */
export async function appendTogether(
  pool: Pool,
  appends: readonly CheckedAppend[],
): Promise<readonly (number | undefined)[]> {
  const { rows } = await pool.query<Moved>({
    ...STATEMENTS[appends.some(startsRun) ? 'start' : 'extend'],
    values: [jsonArray(appends.map(appendRecord)), jsonArray(appends.flatMap(eventRecords))],
  });
  const heads = new Map(rows.map(({ number, head }) => [number, head]));
  return appends.map((_, number) => heads.get(number));
}

/** The result of an append that has written nothing: what its command wrote before, or a conflict. */
export async function recallAppend(pool: Pool, request: AppendRequest): Promise<AppendResult> {
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

// Records for `json_to_recordset`; members without a value are left out and read as NULL.

function appendRecord({ request, events, stateJson }: CheckedAppend, number: number): string {
  const { expectedHead, header } = request;
  const record = JSON.stringify({
    number,
    tenant: request.tenantId,
    run: request.runId,
    expected: expectedHead === 'no-run' ? undefined : expectedHead,
    workflow: request.workflowId,
    size: events.length,
    at: request.at.toISOString(),
    status: header?.status,
    command: request.commandId,
    genesis: expectedHead === 'no-run' ? genesisOf(request) : undefined,
  });
  return stateJson === undefined ? record : withMember(record, 'state', stateJson);
}

function genesisOf({ tenantId, runId }: AppendRequest): string {
  return genesisLink(nodeContentHash, tenantId, runId);
}

function eventRecords({ events }: CheckedAppend, number: number): string[] {
  return events.map(({ event, payloadJson, contentHash }, index) => {
    const record = JSON.stringify({
      number,
      place: index + 1,
      type: event.type,
      node: event.nodeId,
      cause: event.causationId,
      version: event.schemaVersion,
      bytes: Buffer.byteLength(payloadJson),
      o200k: event.counts?.o200k_base,
      cl100k: event.counts?.cl100k_base,
      chars: event.counts?.chars,
      hash: contentHash,
    });
    return withMember(record, 'payload', payloadJson);
  });
}

/** Payload and state are JSON text already: they are not parsed to be written again. */
function withMember(record: string, name: string, json: string): string {
  return `${record.slice(0, -1)},"${name}":${json}}`;
}

function jsonArray(records: readonly string[]): string {
  return `[${records.join(',')}]`;
}
