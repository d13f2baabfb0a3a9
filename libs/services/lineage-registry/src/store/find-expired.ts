import type { Pool } from 'pg';

/** The statement's time, not `clock_timestamp()`: an index can be looked into by what stands still. */
const FIND = `
SELECT tenant_id AS "tenantId", workgroup_id AS "workgroupId" FROM lineage_registry.lineages
WHERE status IN ('held', 'idle') AND lease_expires_at <= statement_timestamp()
GROUP BY tenant_id, workgroup_id
ORDER BY min(lease_expires_at), tenant_id, workgroup_id
LIMIT $1`;

export type WorkgroupKey = { readonly tenantId: string; readonly workgroupId: string };

export async function findExpired(pool: Pool, limit: number): Promise<readonly WorkgroupKey[]> {
  const { rows } = await pool.query<WorkgroupKey>(FIND, [limit]);
  return rows;
}
