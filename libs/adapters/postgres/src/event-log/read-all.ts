import type { Pool } from 'pg';
import { LOG_PAGE_BYTES, LOG_PAGE_EVENTS } from '@palimpsest/contracts';
import type { CommittedEvent, LogCursor } from '@palimpsest/kernel';
import { eventColumns, recordedEvent, type EventRow } from './event-row.js';

type CommittedRow = EventRow & {
  readonly tenant_id: string;
  readonly run_id: string;
  readonly transaction_id: string;
  readonly global_position: string;
};

/**
 * Positions are given before transactions commit, so a reader that follows positions alone passes over an event
 * whose transaction commits late, for ever. Transaction ids are given early, too, but of them Postgres tells which
 * are still open: every transaction below the snapshot's xmin has ended, and none can get such an id any more. So
 * the order (transaction, position) below xmin is final: nothing will ever appear before a cursor that has been
 * handed out. The price: one open transaction (of any database of the server) holds all readers back until it
 * ends, which is why our sessions may not idle in one. $1, $2 cursor, $3 limit.
 */
const READ_ALL = `
WITH candidates AS (
  SELECT e.tenant_id, e.run_id, e.transaction_id, e.global_position, e.payload_bytes, ${eventColumns('e')}
  FROM run_log.events e
  WHERE (e.transaction_id, e.global_position) > ($1::xid8, $2::bigint)
    AND e.transaction_id < pg_snapshot_xmin(pg_current_snapshot())
  ORDER BY e.transaction_id, e.global_position LIMIT $3::int
),
measured AS (
  SELECT c.*, row_number() OVER batch AS place, sum(c.payload_bytes) OVER batch AS bytes
  FROM candidates c
  WINDOW batch AS (ORDER BY c.transaction_id, c.global_position ROWS UNBOUNDED PRECEDING)
)
SELECT m.tenant_id, m.run_id, m.transaction_id::text, m.global_position, ${eventColumns('m')}
FROM measured m
WHERE m.place = 1 OR m.bytes <= ${LOG_PAGE_BYTES}
ORDER BY m.place`;

export async function readAll(
  pool: Pool,
  after: LogCursor,
  limit: number,
): Promise<readonly CommittedEvent[]> {
  const { rows } = await pool.query<CommittedRow>({
    name: 'run_log.read_all',
    text: READ_ALL,
    values: [after.transactionId, after.position, Math.min(limit, LOG_PAGE_EVENTS)],
  });
  return rows.map((row) => ({
    tenantId: row.tenant_id,
    event: recordedEvent(row.run_id, row),
    cursor: { transactionId: row.transaction_id, position: row.global_position },
  }));
}
