/**
 * The run $2 of the tenant $1 and those it was forked from, for a `WITH RECURSIVE`. `UNION` ends the walk where links go
 * in a circle.
 */
export const ANCESTRY = `ancestry(run_id) AS (
  SELECT $2::text COLLATE "C"
  UNION
  SELECT source_run_id
  FROM ancestry JOIN artifact_store.run_sources USING (run_id) WHERE tenant_id = $1
)`;
