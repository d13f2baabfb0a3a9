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
 * $1 tenant, $2 run, $3 source, $4 from, $5 to, $6 time, $7 status, $8 state, $9 time in UTF-8. Content hashes are the
 * source's: they cover nothing that changes here. Links are made again, of this run's clock and causes. A cause is looked
 * for as a reader of the source would see it: in its own log, or, of an event that an ancestor wrote, in what both share;
 * `named` holds the runs whose places are the source's, and up to where.
 *
 * What a link is made of is read first, by itself, and all links are made in one call; then each row is fetched by its
 * place (rows of the log never move) and written. So no payload is carried through a step that does not need it.
 * `LIMIT` keeps the planner at the index, `OFFSET` at working out each cause once.
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
  SELECT e.place, e.sequence, e.content_hash, CASE WHEN e.causation_id IS NOT NULL THEN COALESCE((
    SELECT 'evt-' || $2::text || '-' || substr(e.causation_id, n.rest) FROM named n
    WHERE starts_with(e.causation_id, n.prefix) AND (n.always OR s.writer <> $3::text)
      AND CASE WHEN substr(e.causation_id, n.rest) ~ '^(?:0|[1-9][0-9]{0,14})$'
        THEN substr(e.causation_id, n.rest)::bigint <= n.last END
  ), e.causation_id) END AS cause
  FROM stretches s CROSS JOIN LATERAL (
    SELECT e.ctid AS place, e.sequence, e.causation_id, e.content_hash FROM run_log.events e
    WHERE e.tenant_id = $1 AND e.run_id = s.writer
      AND e.sequence BETWEEN GREATEST(s.first, $4::int) AND LEAST(s.last, $5::int)
    ORDER BY e.sequence LIMIT ${RE_EMIT_EVENTS}
  ) AS e
  ORDER BY e.sequence OFFSET 0
),
whole AS MATERIALIZED (
  SELECT count(*) AS size, bool_and(content_hash IS NOT NULL) AS hashed, array_agg(place) AS places,
    array_agg(cause) AS causes,
    array_agg(content_hash || $9::bytea || COALESCE(convert_to(cause, 'UTF8'), '')) AS said
  FROM found
),
linked AS MATERIALIZED (
  SELECT l.* FROM own CROSS JOIN whole CROSS JOIN ROWS FROM (
    unnest(whole.places), unnest(whole.causes), run_log.links(own.link, whole.said)
  ) WITH ORDINALITY AS l(place, cause, link, number)
),
moved AS (
  UPDATE run_log.runs r
  SET head = $5::int, updated_at = $6::timestamptz, status = COALESCE($7::text, r.status),
    state = COALESCE($8::jsonb, r.state), link = l.link
  FROM own, whole, linked l
  WHERE r.ctid = own.place AND l.number = whole.size AND whole.size = $5::int - $4::int + 1
    AND (whole.hashed OR own.link IS NULL)
  RETURNING r.head
),
written AS (
  INSERT INTO run_log.events (tenant_id, run_id, sequence, type, node_id, causation_id, schema_version, payload,
    payload_bytes, tokens_o200k_base, tokens_cl100k_base, tokens_chars, recorded_at, content_hash, link)
  SELECT $1, $2, e.sequence, e.type, e.node_id, l.cause, e.schema_version, e.payload,
    e.payload_bytes, e.tokens_o200k_base, e.tokens_cl100k_base, e.tokens_chars, $6::timestamptz, e.content_hash,
    l.link
  FROM linked l JOIN run_log.events e ON e.ctid = l.place
  WHERE EXISTS (SELECT FROM moved)
  ORDER BY l.number
)
SELECT (SELECT head FROM moved) AS head, size::int, hashed FROM whole`;

type Outcome = { readonly head: number | null; readonly size: number; readonly hashed: boolean | null };

export async function reEmit(pool: Pool, request: ReEmitRequest): Promise<boolean> {
  checkReEmissionRange(request);
  const { tenantId, runId, fromRunId, fromSequence, toSequence, header } = request;
  const at = request.at.toISOString();
  const { rows } = await pool.query<Outcome>({
    name: 'run_log.re_emit',
    text: RE_EMIT,
    values: [
      tenantId,
      runId,
      fromRunId,
      fromSequence,
      toSequence,
      at,
      header?.status ?? null,
      header?.state ? storableJson(header.state, 'header.state') : null,
      Buffer.from(at),
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
