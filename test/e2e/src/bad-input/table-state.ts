import type { Pool } from 'pg';

/** What the tables hold, by `schema.table`: rows, highest numbers and a digest of the contents. */
export type TableState = Readonly<Record<string, string>>;

const TABLES = `
SELECT table_schema AS schema, table_name AS name FROM information_schema.tables
WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')
ORDER BY 1, 2`;

/** Of every table of all our schemas, in one statement: one moment. */
export async function tableState(pool: Pool): Promise<TableState> {
  const { rows: tables } = await pool.query<{ schema: string; name: string }>(TABLES);
  const states = tables.map(
    ({ schema, name }) =>
      `SELECT '${schema}.${name}' AS name, count(*) || ' rows, ' ||
        md5(coalesce(string_agg(md5(t::text), '' ORDER BY md5(t::text)), '')) AS state
       FROM "${schema}"."${name}" AS t`,
  );
  const { rows } = await pool.query<{ name: string; state: string }>(states.join(' UNION ALL '));
  return Object.fromEntries(rows.map(({ name, state }) => [name, state]));
}

/** One line for each table that is not as it was. */
export function changedTables(before: TableState, after: TableState): readonly string[] {
  return Object.keys({ ...before, ...after })
    .filter((name) => before[name] !== after[name])
    .map((name) => `${name} was written: ${rowsOf(before[name])} before, ${rowsOf(after[name])} after`);
}

function rowsOf(state = 'no table'): string {
  return state.split(',', 1)[0] ?? '';
}
