import type { CapsuleView, WorkgroupPhase } from '@palimpsest/contracts/registry';
import type { Pool } from 'pg';

const FIND = `
SELECT artifact_id, task_id, phase, bytes, recorded_at FROM lineage_registry.capsules
WHERE tenant_id = $1 AND workgroup_id = $2 AND capsule_hash = $3`;

type Row = {
  readonly artifact_id: string;
  readonly task_id: string;
  readonly phase: WorkgroupPhase;
  readonly bytes: string;
  readonly recorded_at: Date;
};

export async function findCapsule(
  pool: Pool,
  tenantId: string,
  workgroupId: string,
  capsuleHash: string,
): Promise<CapsuleView | undefined> {
  const { rows } = await pool.query<Row>(FIND, [tenantId, workgroupId, capsuleHash]);
  const [row] = rows;
  if (!row) return undefined;
  return {
    capsuleHash,
    artifactId: row.artifact_id,
    taskId: row.task_id,
    phase: row.phase,
    bytes: Number(row.bytes),
    recordedAt: row.recorded_at.toISOString(),
  };
}
