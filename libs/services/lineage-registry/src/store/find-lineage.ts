import type { Pool } from 'pg';
import { CLOCK_MS } from './database-clock.js';
import { lineageOf, lineageRowJson, type LineageRow } from './lineage-row.js';
import type { LineageReading } from './workgroup-store.js';

const FIND = `
SELECT ${CLOCK_MS} AS now, l.workgroup_id, ${lineageRowJson('l')} AS lineage
FROM lineage_registry.lineages l WHERE l.tenant_id = $1 AND l.lineage_id = $2`;

type Row = { readonly now: number; readonly workgroup_id: string; readonly lineage: LineageRow };

export async function findLineage(
  pool: Pool,
  tenantId: string,
  lineageId: string,
): Promise<LineageReading | undefined> {
  const { rows } = await pool.query<Row>({
    name: 'lineage_registry.find_lineage',
    text: FIND,
    values: [tenantId, lineageId],
  });
  const [row] = rows;
  return row && { workgroupId: row.workgroup_id, lineage: lineageOf(row.lineage), now: row.now };
}
