import type { Pool } from 'pg';
import { CLOCK_MS } from './database-clock.js';
import { lineageRowJson } from './lineage-row.js';
import { workgroupOf, type WorkgroupRow } from './workgroup-row.js';
import type { WorkgroupReading } from './workgroup-store.js';

const READ = `
SELECT ${CLOCK_MS} AS now, w.sequence, w.phase, w.last_fence, w.state, (
  SELECT COALESCE(json_agg(${lineageRowJson('l')} ORDER BY l.registered, l.lineage_id), '[]')
  FROM (
    SELECT * FROM lineage_registry.lineages
    WHERE tenant_id = $1 AND workgroup_id = $2 AND status IN ('held', 'idle')
    UNION ALL
    (
      SELECT * FROM lineage_registry.lineages
      WHERE tenant_id = $1 AND workgroup_id = $2 AND status = 'evicted'
      ORDER BY changed DESC, lineage_id DESC LIMIT $3
    )
  ) AS l
) AS lineages
FROM lineage_registry.workgroups w
WHERE w.tenant_id = $1 AND w.workgroup_id = $2`;

export async function readWorkgroup(
  pool: Pool,
  tenantId: string,
  workgroupId: string,
  evicted: number,
): Promise<WorkgroupReading | undefined> {
  const { rows } = await pool.query<WorkgroupRow & { now: number }>({
    name: 'lineage_registry.read_workgroup',
    text: READ,
    values: [tenantId, workgroupId, evicted],
  });
  const [row] = rows;
  return row && { workgroup: workgroupOf(workgroupId, row), now: row.now };
}
