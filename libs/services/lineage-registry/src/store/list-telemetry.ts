import type { TelemetryList } from '@palimpsest/contracts/registry';
import type { Pool } from 'pg';
import type { TelemetryPage } from './telemetry-store.js';

type ListedRow = {
  readonly position: string;
  readonly id: string;
  readonly recorded_at: Date;
  readonly event: TelemetryList['events'][number]['event'];
};

/**
 * Positions are given before transactions commit, so who follows positions alone passes over an event whose transaction
 * commits late. The order (transaction, position) below the snapshot's xmin is final: all of those transactions have
 * ended, and none can get such an id any more (see the log's `read-all.ts`). The wire has one number for that pair: a
 * row's position, which is its own alone, and the row says its transaction. A number that is no row's, which was
 * handed to nobody, stands for the nearest row before it.
 *
 * $1 tenant, $2 environment, $3 position to go on after, $4 limit.
 */
const LIST = `
WITH place AS (
  SELECT p.transaction_id, p.position FROM lineage_registry.telemetry p
  WHERE p.tenant_id = $1 AND p.environment = $2 AND p.position <= $3::bigint
    AND p.transaction_id < pg_snapshot_xmin(pg_current_snapshot())
  ORDER BY p.position DESC LIMIT 1
)
SELECT t.position, t.id, t.recorded_at, t.event
FROM lineage_registry.telemetry t
WHERE t.tenant_id = $1 AND t.environment = $2
  AND (t.transaction_id, t.position) > (
    COALESCE((SELECT transaction_id FROM place), '0'::xid8), COALESCE((SELECT position FROM place), 0))
  AND t.transaction_id < pg_snapshot_xmin(pg_current_snapshot())
ORDER BY t.transaction_id, t.position LIMIT $4::int + 1`;

export async function listTelemetry(pool: Pool, page: TelemetryPage): Promise<TelemetryList> {
  const { tenantId, environment, after, limit } = page;
  const { rows } = await pool.query<ListedRow>({
    name: 'lineage_registry.list_telemetry',
    text: LIST,
    values: [tenantId, environment, after, limit],
  });
  const events = rows.slice(0, limit).map(({ position, id, recorded_at: recordedAt, event }) => ({
    position: Number(position),
    id,
    recordedAt: recordedAt.toISOString(),
    event,
  }));
  const next = rows.length > limit ? events.at(-1)?.position : undefined;
  return { events, ...(next !== undefined && { next }) };
}
