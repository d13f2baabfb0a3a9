import type { Pool } from 'pg';
import { LOG_PAGE_BYTES, LOG_PAGE_EVENTS, type RecordedEvent } from '@palimpsest/contracts';
import { causationInFork, type EventPage, type ForkLineage, type ReadRunRequest } from '@palimpsest/kernel';
import {
  chainColumns,
  chainOf,
  eventColumns,
  recordedEvent,
  type ChainRow,
  type EventRow,
} from './event-row.js';

type Direction = 'forwards' | 'backwards';

type RunRow = EventRow &
  Partial<ChainRow> & {
    readonly source_run_id: string;
    readonly next_sequence: number | null;
    /** On the first row only. */
    readonly lineage: ForkLineage | null;
  };

/** Largest value of the column. */
const LAST_SEQUENCE = 2_147_483_647;

/**
 * $1 tenant, $2 run, $3 from, $4 limit, $5 types. A run's own events and those it shares are stretches of several
 * runs' rows; each is read through an index, in order, at most a page. Stretches follow each other, so the order by
 * stretch and place is that of places, and those behind a full page need not be looked at. The page is cut by the sizes
 * on the rows, so that no payload is read that is not sent.
 */
export function readRunSql(direction: Direction, ofTypes: boolean, withChain: boolean): string {
  const columns = (alias: string): string =>
    withChain ? `${eventColumns(alias)}, ${chainColumns(alias)}` : eventColumns(alias);
  const order = direction === 'forwards' ? 'ASC' : 'DESC';
  const [stretchReaches, first, last] =
    direction === 'forwards'
      ? ['last_sequence >= $3::int', 'GREATEST(s.first_sequence, $3::int)', 's.last_sequence']
      : ['first_sequence <= $3::int', 's.first_sequence', 'LEAST(s.last_sequence, $3::int)'];
  const found = ofTypes ? foundOfTypes : foundOfAll;
  return `
WITH stretches AS (
  SELECT $2::text AS source_run_id, 0 AS first_sequence, ${LAST_SEQUENCE} AS last_sequence
  UNION ALL
  SELECT source_run_id, first_sequence, last_sequence FROM run_log.segments
  WHERE tenant_id = $1 AND run_id = $2 AND first_sequence <= last_sequence AND ${stretchReaches}
),
candidates AS (
  SELECT found.*, s.source_run_id
  FROM (SELECT * FROM stretches ORDER BY last_sequence ${order}) AS s
  CROSS JOIN LATERAL (${found({ columns: `${columns('e')}, e.payload_bytes`, first, last, order })}) AS found
  ORDER BY s.last_sequence ${order}, found.sequence ${order} LIMIT $4::int + 1
),
measured AS (
  SELECT c.*, row_number() OVER page AS place, sum(c.payload_bytes) OVER page AS bytes,
    lead(c.sequence) OVER page AS next_sequence
  FROM candidates c
  WINDOW page AS (ORDER BY c.sequence ${order} ROWS UNBOUNDED PRECEDING)
)
SELECT ${columns('m')}, m.source_run_id, m.next_sequence,
  CASE WHEN m.place = 1 THEN (
    SELECT jsonb_object_agg(source_run_id, last_sequence) FROM run_log.segments
    WHERE tenant_id = $1 AND run_id = $2) END AS lineage
FROM measured m
WHERE m.place <= $4::int AND (m.place = 1 OR m.bytes <= ${LOG_PAGE_BYTES})
ORDER BY m.sequence ${order}`;
}

type Stretch = {
  readonly columns: string;
  readonly first: string;
  readonly last: string;
  readonly order: 'ASC' | 'DESC';
};

function foundOfAll({ columns, first, last, order }: Stretch): string {
  return `
    SELECT ${columns} FROM run_log.events e
    WHERE e.tenant_id = $1 AND e.run_id = s.source_run_id AND e.sequence BETWEEN ${first} AND ${last}
    ORDER BY e.sequence ${order} LIMIT $4::int + 1`;
}

/**
 * Types are read one by one: with `type = ANY (…)` the rows of the index have no order. Type and place are compared
 * together, as the index has them: the key of run and place looks as cheap to the planner, which then reads the whole
 * run to find the few of a type.
 */
function foundOfTypes({ columns, first, last, order }: Stretch): string {
  return `
    SELECT of_type.* FROM unnest($5::text[]) AS wanted(type)
    CROSS JOIN LATERAL (
      SELECT ${columns} FROM run_log.events e
      WHERE e.tenant_id = $1 AND e.run_id = s.source_run_id
        AND (e.type, e.sequence) >= (wanted.type, ${first}) AND (e.type, e.sequence) <= (wanted.type, ${last})
      ORDER BY e.type ${order}, e.sequence ${order} LIMIT $4::int + 1
    ) AS of_type
    ORDER BY of_type.sequence ${order} LIMIT $4::int + 1`;
}

const READS = {
  forwards: readsOf('forwards'),
  backwards: readsOf('backwards'),
};

function readsOf(direction: Direction) {
  return {
    all: { bare: readRunSql(direction, false, false), chained: readRunSql(direction, false, true) },
    ofTypes: { bare: readRunSql(direction, true, false), chained: readRunSql(direction, true, true) },
  };
}

export async function readRun(pool: Pool, request: ReadRunRequest): Promise<EventPage> {
  const direction = request.backwards ? 'backwards' : 'forwards';
  const selection = request.types ? 'ofTypes' : 'all';
  const form = request.withChain ? 'chained' : 'bare';
  const { rows } = await pool.query<RunRow>({
    name: `run_log.read.${direction}.${selection}.${form}`,
    text: READS[direction][selection][form],
    values: [
      request.tenantId,
      request.runId,
      Math.min(request.fromSequence, LAST_SEQUENCE),
      Math.min(request.limit ?? LOG_PAGE_EVENTS, LOG_PAGE_EVENTS),
      ...(request.types ? [[...new Set(request.types)]] : []),
    ],
  });
  const lineage = rows[0]?.lineage ?? {};
  const next = rows.at(-1)?.next_sequence ?? null;
  return {
    events: rows.map((row) => eventOfRun(request.runId, row, lineage)),
    ...(next !== null && { next }),
  };
}

function eventOfRun(runId: string, row: RunRow, lineage: ForkLineage): RecordedEvent {
  const { content_hash = null, link = null } = row;
  const chain = chainOf(row.source_run_id, { ...row, content_hash, link });
  const event = { ...recordedEvent(runId, row), ...(chain && { chain }) };
  if (row.source_run_id === runId || event.causationId === undefined) return event;
  return { ...event, causationId: causationInFork(runId, lineage, event.causationId) };
}
