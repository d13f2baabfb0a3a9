import type { EfficiencyEvent } from '@palimpsest/context-efficiency';
import type { Pool, PoolClient } from 'pg';
import type { DecidedTelemetry } from '../domain/workgroup/decision.js';

export type TelemetryRow = {
  readonly environment: string;
  readonly id: string;
  readonly event: EfficiencyEvent;
  readonly family: string | null;
  readonly rolloutVersion: number | null;
  readonly isRecommendation?: boolean;
};

/**
 * In one order whatever the caller's: a row whose id another open transaction has inserted waits for that one, so two
 * batches in opposite orders would wait for each other.
 */
const INSERT = `INSERT INTO lineage_registry.telemetry
  (tenant_id, environment, id, family, rollout_version, recommendation, event)
SELECT $1, given.environment, given.id, given.family, given."rolloutVersion",
  COALESCE(given."isRecommendation", false), given.event
FROM jsonb_to_recordset($2::jsonb)
  AS given(environment text, id text, family text, "rolloutVersion" integer, "isRecommendation" boolean,
    event jsonb)
ORDER BY given.environment COLLATE "C", given.id COLLATE "C"
ON CONFLICT DO NOTHING
RETURNING id`;

/** Records what a decision brings, in its transaction. What is recorded under its id already stays as it is. */
export async function insertTelemetry(
  client: PoolClient,
  tenantId: string,
  rows: readonly DecidedTelemetry[],
): Promise<void> {
  await insertRows(client, tenantId, rows);
}

/** The ids that were not there before. Ids are to be distinct within an environment. */
export async function insertRows(
  client: Pool | PoolClient,
  tenantId: string,
  rows: readonly TelemetryRow[],
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  const inserted = await client.query<{ id: string }>(INSERT, [tenantId, JSON.stringify(rows)]);
  return new Set(inserted.rows.map(({ id }) => id));
}
