import type { Pool } from 'pg';
import type { RecordedWorkgroupEvent } from '../domain/workgroup/workgroup-events.js';
import { streamOfWorkgroup } from './stream-names.js';
import type { EventPage, LastEvents } from './workgroup-store.js';

const SELECT = `
SELECT sequence, type, lineage_id, payload, recorded_at FROM lineage_registry.events
WHERE tenant_id = $1 AND stream = $2`;

const PAGE = `${SELECT} AND sequence > $3 ORDER BY sequence LIMIT $4`;
/** `LATERAL`: each type's events are in the index in their order, those of several are not. */
const PAGE_OF_TYPES = `
SELECT page.* FROM unnest($5::text[]) AS given(type) CROSS JOIN LATERAL (
  ${SELECT} AND type = given.type AND sequence > $3 ORDER BY sequence LIMIT $4
) AS page ORDER BY sequence LIMIT $4`;
const LAST = `${SELECT} AND lineage_id = $3 AND type = $4 ORDER BY sequence DESC LIMIT $5`;

type Row = {
  readonly sequence: number;
  readonly type: string;
  readonly lineage_id: string | null;
  readonly payload: object;
  readonly recorded_at: Date;
};

export async function readEvents(pool: Pool, page: EventPage): Promise<readonly RecordedWorkgroupEvent[]> {
  const { tenantId, workgroupId, after, limit, types } = page;
  const values = [tenantId, streamOfWorkgroup(workgroupId), after, limit];
  const { rows } = types
    ? await pool.query<Row>(PAGE_OF_TYPES, [...values, types])
    : await pool.query<Row>(PAGE, values);
  return rows.map(recordedEvent);
}

export async function readLastEvents(
  pool: Pool,
  last: LastEvents,
): Promise<readonly RecordedWorkgroupEvent[]> {
  const { tenantId, workgroupId, lineageId, type, limit } = last;
  const values = [tenantId, streamOfWorkgroup(workgroupId), lineageId, type, limit];
  const { rows } = await pool.query<Row>(LAST, values);
  return rows.reverse().map(recordedEvent);
}

function recordedEvent({ sequence, type, lineage_id, payload, recorded_at }: Row): RecordedWorkgroupEvent {
  const lineage = lineage_id !== null && { lineageId: lineage_id };
  const event = { type, ...lineage, payload, sequence, recordedAt: recorded_at.toISOString() };
  // It was one when it was recorded.
  return event as unknown as RecordedWorkgroupEvent;
}
