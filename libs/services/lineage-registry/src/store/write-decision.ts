import type { PoolClient } from 'pg';
import type { Workgroup } from '../domain/workgroup/workgroup.js';
import { streamOfWorkgroup } from './stream-names.js';
import type { AppliedDecision, StorableWorkgroupEvent } from './apply-decision.js';
import { LineageExistsError } from '../domain/workgroup/workgroup.errors.js';
import { lineageRowOf } from './lineage-row.js';
import { changedStateText } from './workgroup-row.js';
import type { WorkgroupChange } from './workgroup-store.js';

/**
 * All of a decision in one statement. An evicted lineage keeps the place at which it left, whoever is refused by it later. `ON CONFLICT` looks each lineage up by its key, whatever the planner knows of the
 * table. A lineage id that an open transaction of another workgroup has added is waited for, in one order, so that no two wait
 * for each other.
 */
const WRITE = `
WITH given_events AS MATERIALIZED (
  SELECT * FROM json_to_recordset($9::json) AS e(sequence int, type text, lineage text, payload json)
),
given_lineages AS MATERIALIZED (
  SELECT * FROM json_to_recordset($10::json) AS l(id text, added boolean, status text, lease timestamptz, state jsonb)
),
moved AS (
  UPDATE lineage_registry.workgroups
  SET sequence = $4, phase = $5, last_fence = $6, state = COALESCE($7::jsonb, state), updated_at = $8
  WHERE tenant_id = $1 AND workgroup_id = $2 AND sequence < $4
),
added AS (
  INSERT INTO lineage_registry.lineages
    (tenant_id, lineage_id, workgroup_id, status, lease_expires_at, registered, changed, updated_at, state)
  SELECT $1, id, $2, status, lease, $4, $4, $8, state FROM given_lineages WHERE added ORDER BY id COLLATE "C"
  ON CONFLICT (tenant_id, lineage_id) DO NOTHING
  RETURNING lineage_id
),
changed AS (
  INSERT INTO lineage_registry.lineages AS l
    (tenant_id, lineage_id, workgroup_id, status, lease_expires_at, registered, changed, updated_at, state)
  SELECT $1, id, $2, status, lease, $4, $4, $8, state FROM given_lineages WHERE NOT added ORDER BY id COLLATE "C"
  ON CONFLICT (tenant_id, lineage_id) DO UPDATE
  SET status = EXCLUDED.status, lease_expires_at = EXCLUDED.lease_expires_at,
    changed = CASE WHEN l.status = 'evicted' THEN l.changed ELSE EXCLUDED.changed END,
    updated_at = EXCLUDED.updated_at, state = EXCLUDED.state
),
appended AS (
  INSERT INTO lineage_registry.events (tenant_id, stream, sequence, type, lineage_id, payload, recorded_at)
  SELECT $1, $3, sequence, type, lineage, payload, $8 FROM given_events ORDER BY sequence
),
capsules AS (
  INSERT INTO lineage_registry.capsules
    (tenant_id, workgroup_id, capsule_hash, artifact_id, task_id, phase, bytes, recorded_at)
  SELECT $1, $2, payload->>'capsuleHash', payload->>'artifactId', payload->>'taskId', payload->>'phase',
    (payload->>'bytes')::bigint, $8
  FROM given_events WHERE type = 'palimpsest.capsule.recorded'
  ON CONFLICT DO NOTHING
),
kept AS (
  INSERT INTO lineage_registry.commands (tenant_id, stream, command_id, outcome, recorded_at)
  SELECT $1, $3, $11, $12::json, $8 WHERE $11::text IS NOT NULL
)
SELECT lineage_id FROM added`;

export type WrittenDecision = AppliedDecision & {
  readonly before: Workgroup;
  readonly recordedAt: string;
  /** JSON text, to be kept under the change's command id; null without one. */
  readonly outcome: string | null;
};

/** Writes under the lock. `LineageExistsError` where the id of an added lineage is taken: the transaction is to be rolled back. */
export async function writeDecision(
  client: PoolClient,
  change: WorkgroupChange,
  decision: WrittenDecision,
): Promise<void> {
  const { rows } = await client.query<{ lineage_id: string }>({
    name: 'lineage_registry.write',
    text: WRITE,
    values: valuesOf(change, decision),
  });
  const added = new Set(rows.map(({ lineage_id }) => lineage_id));
  const taken = decision.added.find(({ lineageId }) => !added.has(lineageId));
  if (taken) throw new LineageExistsError(taken.lineageId);
}

function valuesOf(change: WorkgroupChange, decision: WrittenDecision): unknown[] {
  const { tenantId, workgroupId, commandId = null } = change;
  const { before, after, recordedAt, outcome } = decision;
  return [
    tenantId,
    workgroupId,
    streamOfWorkgroup(workgroupId),
    after.sequence,
    after.phase,
    after.lastFence,
    changedStateText(before, after),
    recordedAt,
    `[${decision.events.map(eventText).join(',')}]`,
    lineagesText(decision),
    commandId,
    outcome,
  ];
}

/** The payload is JSON text already: it is not parsed to be written again. */
function eventText({ event, payloadJson }: StorableWorkgroupEvent): string {
  const { sequence, type } = event;
  const lineage = 'lineageId' in event ? event.lineageId : undefined;
  return `${JSON.stringify({ sequence, type, lineage }).slice(0, -1)},"payload":${payloadJson}}`;
}

function lineagesText({ added, changed }: AppliedDecision): string {
  return JSON.stringify([
    ...added.map((lineage) => ({ ...lineageRowOf(lineage), added: true })),
    ...changed.map((lineage) => ({ ...lineageRowOf(lineage), added: false })),
  ]);
}
