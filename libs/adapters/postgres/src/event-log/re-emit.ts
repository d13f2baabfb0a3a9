import type { Pool } from 'pg';
import { RE_EMIT_EVENTS } from '@palimpsest/contracts';
import {
  checkReEmissionHeads,
  checkReEmissionRange,
  ServiceUnavailableError,
  storableJson,
  type ReEmitRequest,
} from '@palimpsest/kernel';
import { readHeader } from './read-headers.js';

/** Largest value of the column. */
const LAST_SEQUENCE = 2_147_483_647;

/**
 * $1 tenant, $2 run, $3 source, $4 from, $5 to, $6 time, $7 status, $8 state. Content hashes are the source's: they cover
 * nothing that changes here. Links are made again, of this run's clock and causes. A cause is looked for as a reader
 * of the source would see it: in its own log, or, of an event that an ancestor wrote, in what both share; `named` holds
 * the runs whose places are the source's, and up to where. `LIMIT` keeps the planner at the index, `OFFSET` at working
 * out each cause once.
 */
const RE_EMIT = `
WITH own AS MATERIALIZED (
  SELECT r.ctid AS place, r.link FROM run_log.runs r
  WHERE r.tenant_id = $1 AND r.run_id = $2 AND r.head = $4::int - 1
  FOR UPDATE
),
segments AS (
  SELECT source_run_id, first_sequence, last_sequence FROM run_log.segments WHERE tenant_id = $1 AND run_id = $3
),
stretches AS (
  SELECT $3::text AS writer, 0 AS first, ${LAST_SEQUENCE} AS last
  UNION ALL SELECT * FROM segments WHERE first_sequence <= last_sequence
),
named AS MATERIALIZED (
  SELECT 'evt-' || run || '-' AS prefix, length(run) + 6 AS rest, last, always FROM (
    SELECT $3::text, ${LAST_SEQUENCE}, true
    UNION ALL SELECT source_run_id, last_sequence, false FROM segments
  ) AS n(run, last, always)
),
found AS (
  SELECT e.*, COALESCE((
    SELECT 'evt-' || $2::text || '-' || substr(e.causation_id, n.rest) FROM named n
    WHERE starts_with(e.causation_id, n.prefix) AND (n.always OR s.writer <> $3::text)
      AND CASE WHEN substr(e.causation_id, n.rest) ~ '^(?:0|[1-9][0-9]{0,14})$'
        THEN substr(e.causation_id, n.rest)::bigint <= n.last END
  ), e.causation_id) AS cause
  FROM stretches s CROSS JOIN LATERAL (
    SELECT e.* FROM run_log.events e
    WHERE e.tenant_id = $1 AND e.run_id = s.writer
      AND e.sequence BETWEEN GREATEST(s.first, $4::int) AND LEAST(s.last, $5::int)
    ORDER BY e.sequence LIMIT ${RE_EMIT_EVENTS}
  ) AS e
  OFFSET 0
),
linked AS MATERIALIZED (
  SELECT f.*, run_log.link_after(own.link, run_log.said(f.content_hash, $6::text, f.cause)) OVER (
    ORDER BY f.sequence ROWS UNBOUNDED PRECEDING) AS new_link
  FROM own CROSS JOIN found f
),
whole AS (
  SELECT count(*) AS size, bool_and(content_hash IS NOT NULL) AS hashed FROM linked
),
moved AS (
  UPDATE run_log.runs r
  SET head = $5::int, updated_at = $6::timestamptz, status = COALESCE($7::text, r.status),
    state = COALESCE($8::jsonb, r.state), link = l.new_link
  FROM own, whole, linked l
  WHERE r.ctid = own.place AND l.sequence = $5::int AND whole.size = $5::int - $4::int + 1
    AND (whole.hashed OR own.link IS NULL)
  RETURNING r.head
),
written AS (
  INSERT INTO run_log.events (tenant_id, run_id, sequence, type, node_id, causation_id, schema_version, payload,
    payload_bytes, tokens_o200k_base, tokens_cl100k_base, tokens_chars, recorded_at, content_hash, link)
  SELECT $1, $2, l.sequence, l.type, l.node_id, l.cause, l.schema_version, l.payload,
    l.payload_bytes, l.tokens_o200k_base, l.tokens_cl100k_base, l.tokens_chars, $6::timestamptz, l.content_hash,
    l.new_link
  FROM moved CROSS JOIN linked l
  ORDER BY l.sequence
)
SELECT (SELECT head FROM moved) AS head, size::int, hashed FROM whole`;

type Outcome = { readonly head: number | null; readonly size: number; readonly hashed: boolean | null };

export async function reEmit(pool: Pool, request: ReEmitRequest): Promise<boolean> {
  checkReEmissionRange(request);
  const { tenantId, runId, fromRunId, fromSequence, toSequence, header } = request;
  const { rows } = await pool.query<Outcome>({
    name: 'run_log.re_emit',
    text: RE_EMIT,
    values: [
      tenantId,
      runId,
      fromRunId,
      fromSequence,
      toSequence,
      request.at.toISOString(),
      header?.status ?? null,
      header?.state ? storableJson(header.state, 'header.state') : null,
    ],
  });
  const [outcome] = rows;
  if (outcome?.head === toSequence) return true;
  const found = outcome?.size === toSequence - fromSequence + 1;
  return found && outcome.hashed === false ? false : whyNotReEmitted(pool, request);
}

async function whyNotReEmitted(pool: Pool, request: ReEmitRequest): Promise<never> {
  const { tenantId, runId, fromRunId } = request;
  const [own, source] = await Promise.all([
    readHeader(pool, tenantId, runId),
    readHeader(pool, tenantId, fromRunId),
  ]);
  checkReEmissionHeads(request, { own: own?.head, source: source?.head });
  // The source grew, or the head was there, only after the statement had looked.
  throw new ServiceUnavailableError('The source of the re-emission', { retryAfterMs: 0 });
}
