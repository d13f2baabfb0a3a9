import type { Pool } from 'pg';

/** Tables with rows that hold a text, as it is or as bytes, by schema: `{ artifact_store: 12 }`. */
export async function rowsHolding(pool: Pool, text: string): Promise<Readonly<Record<string, number>>> {
  const { rows: tables } = await pool.query<{ schema: string; name: string }>(
    `SELECT table_schema AS schema, table_name AS name FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
  );
  const found: Record<string, number> = {};
  for (const { schema, name } of tables) {
    const { rows } = await pool.query<{ holding: number }>(
      `SELECT count(*)::integer AS holding FROM "${schema}"."${name}" AS t
       WHERE position($1 IN t::text) > 0 OR position($2 IN t::text) > 0`,
      [text, Buffer.from(text).toString('hex')],
    );
    const holding = rows[0]?.holding ?? 0;
    if (holding > 0) found[schema] = (found[schema] ?? 0) + holding;
  }
  return found;
}

export type SummaryJobRow = {
  readonly job_id: string;
  readonly run_id: string;
  readonly outcome: string | null;
};

/** The assembler's record of what it had summarized. */
export async function summaryJobs(pool: Pool): Promise<readonly SummaryJobRow[]> {
  const { rows } = await pool.query<SummaryJobRow>(
    `SELECT job_id, run_id, result->>'outcome' AS outcome FROM transcript_assembler.summary_jobs ORDER BY job_id`,
  );
  return rows;
}
