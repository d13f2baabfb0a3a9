import type { Migration } from '../../migrations/migration-set.js';

/**
 * `links(beginning, said)` is the chain over what events say, a link for each: called once for many events, where
 * `link_after` is called for each, which is a third of the time. What a NULL has to be linked has no link, nor has
 * anything behind it.
 */
export const linkInARow: Migration = {
  name: '0004-links',
  sql: `
CREATE FUNCTION run_log.links(beginning bytea, said bytea[]) RETURNS SETOF bytea
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  link bytea := beginning;
  one bytea;
BEGIN
  FOREACH one IN ARRAY said LOOP
    link := pg_catalog.sha256(link || one);
    RETURN NEXT link;
  END LOOP;
END
$$;
`,
};
