import type { Pool } from 'pg';

/** As many as one statement may: the next sweep goes on. Two sweeps at once share them. */
const FORGET = `
DELETE FROM lineage_registry.commands WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM lineage_registry.commands
  WHERE recorded_at < statement_timestamp() - interval '1 day'
  ORDER BY recorded_at LIMIT 10000
  FOR UPDATE SKIP LOCKED
))`;

export async function forgetCommands(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(FORGET);
  return rowCount ?? 0;
}
