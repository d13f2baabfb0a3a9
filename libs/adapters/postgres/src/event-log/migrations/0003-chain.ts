import type { Migration } from '../../migrations/migration-set.js';

/**
 * The hash chain of a run: per event what it says, hashed where it was made storable, and its link; on the run the link
 * of its head, or of its beginning. All are NULL on runs from before: these have no chain, and an event appended to such
 * a run has a content hash and no link, as a link of nothing is NULL.
 *
 * `link_after(beginning, said) OVER (… ORDER BY sequence)` is the chain over the rows of a statement.
 */
export const chainEvents: Migration = {
  name: '0003-chain',
  sql: `
ALTER TABLE run_log.events ADD COLUMN content_hash bytea, ADD COLUMN link bytea;
ALTER TABLE run_log.runs ADD COLUMN link bytea;

CREATE FUNCTION run_log.next_link(link bytea, beginning bytea, said bytea) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE -- kept by the session, which a function of the language sql is not
AS 'BEGIN RETURN pg_catalog.sha256(COALESCE(link, beginning) || said); END';

CREATE AGGREGATE run_log.link_after(beginning bytea, said bytea) (SFUNC = run_log.next_link, STYPE = bytea);

CREATE FUNCTION run_log.said(content_hash bytea, recorded_at text, causation_id text) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$SELECT content_hash || pg_catalog.convert_to(recorded_at || COALESCE(causation_id, ''), 'UTF8')$$;
`,
};
