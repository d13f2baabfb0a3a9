import type { PoolClient } from 'pg';
import { closedWorkgroup } from '../domain/workgroup/workgroup.js';
import { changedStateText } from './workgroup-row.js';
import type { WorkgroupChange } from './workgroup-store.js';

/** A row that is there is locked and left as it is: that is what `ON CONFLICT DO UPDATE` does before it looks at `WHERE`. */
const LOCK = `
INSERT INTO lineage_registry.workgroups (tenant_id, workgroup_id, sequence, phase, last_fence, state, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp())
ON CONFLICT (tenant_id, workgroup_id) DO UPDATE SET sequence = EXCLUDED.sequence WHERE false`;

const REMOVE = `DELETE FROM lineage_registry.workgroups WHERE tenant_id = $1 AND workgroup_id = $2 AND sequence = -1`;

/** Waits for its turn on the workgroup and keeps it until the transaction ends; one that nobody opened gets a row to lock. */
export async function lockWorkgroup(client: PoolClient, change: WorkgroupChange): Promise<void> {
  const closed = closedWorkgroup(change.workgroupId);
  const { workgroupId, sequence, phase, lastFence } = closed;
  const state = changedStateText(closed, closed);
  const values = [change.tenantId, workgroupId, sequence, phase, lastFence, state];
  await client.query({ name: 'lineage_registry.lock', text: LOCK, values });
}

/** The row of a workgroup that nobody has opened served as a lock only. */
export async function removeClosed(client: PoolClient, change: WorkgroupChange): Promise<void> {
  await client.query(REMOVE, [change.tenantId, change.workgroupId]);
}
