import type { Pool } from 'pg';

/** True where the database answers a trivial question. */
export async function isAnswering(pool: Pool): Promise<boolean> {
  try {
    await pool.query('SELECT 1');
    return true;
  } catch {
    return false;
  }
}
