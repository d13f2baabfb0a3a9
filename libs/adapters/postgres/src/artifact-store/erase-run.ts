import type { PoolClient } from 'pg';
import type { RunErasure } from '@palimpsest/kernel';
import { ANCESTRY } from './ancestry.js';
import { eraseArtifacts } from './erase-artifacts.js';

const GIVE_UP_LINKS = `
UPDATE artifact_store.run_links SET given_up_at = now()
WHERE tenant_id = $1 AND run_id = $2 AND given_up_at IS NULL`;

const GIVE_UP_SOURCES = `
UPDATE artifact_store.run_sources SET given_up_at = now()
WHERE tenant_id = $1 AND run_id = $2 AND given_up_at IS NULL`;

/** What the run and those it was forked from gave up. A source that was given up before may have had its last user in this run. */
const GIVEN_UP = `
WITH RECURSIVE ${ANCESTRY}, given_up AS (
  SELECT DISTINCT artifact_id FROM ancestry JOIN artifact_store.run_links USING (run_id)
  WHERE tenant_id = $1 AND given_up_at IS NOT NULL
)`;

/**
 * Of that, what no run uses: neither one that stored it and did not give it up, nor a fork, near or far, that reads it
 * through its source. The forks are looked for once for each run, not for each artifact.
 */
const UNUSED = `${GIVEN_UP}, holders AS (
  SELECT artifact_id, run_id, given_up_at IS NULL AS uses
  FROM given_up JOIN artifact_store.run_links USING (artifact_id) WHERE tenant_id = $1
), forks(holder, run_id, uses) AS (
  SELECT run_id, run_id, false FROM (SELECT DISTINCT run_id FROM holders) AS each
  UNION
  SELECT holder, run_sources.run_id, given_up_at IS NULL
  FROM forks JOIN artifact_store.run_sources ON source_run_id = forks.run_id WHERE tenant_id = $1
), read_through AS (
  SELECT DISTINCT holder FROM forks WHERE uses
)
SELECT artifact_id FROM holders LEFT JOIN read_through ON holder = run_id
GROUP BY artifact_id HAVING NOT bool_or(uses OR holder IS NOT NULL)`;

const THERE = `${GIVEN_UP}
SELECT count(*)::int AS there
FROM given_up JOIN artifact_store.artifacts USING (artifact_id) WHERE tenant_id = $1 AND erased_at IS NULL`;

const ERASED = `
WITH RECURSIVE ${ANCESTRY}
SELECT artifact_id FROM artifact_store.artifacts
WHERE tenant_id = $1 AND erased_at IS NOT NULL AND EXISTS (
  SELECT FROM ancestry JOIN artifact_store.run_links USING (run_id)
  WHERE run_links.tenant_id = $1 AND run_links.artifact_id = artifacts.artifact_id
)
ORDER BY artifact_id`;

/** The caller holds the tenant's lock as `erasing`. */
export async function eraseRun(client: PoolClient, tenantId: string, runId: string): Promise<RunErasure> {
  const run = [tenantId, runId];
  await client.query(GIVE_UP_LINKS, run);
  await client.query(GIVE_UP_SOURCES, run);
  const before = await countThere(client, run);
  const { rows: unused } = await client.query<{ artifact_id: string }>(UNUSED, run);
  if (unused.length > 0)
    await eraseArtifacts(
      client,
      tenantId,
      unused.map((row) => row.artifact_id),
    );
  const kept = await countThere(client, run);
  return { erased: before - kept, kept };
}

/** Of what is given up, how much is not erased. */
async function countThere(client: PoolClient, run: readonly string[]): Promise<number> {
  const { rows } = await client.query<{ there: number }>(THERE, [...run]);
  return rows[0]?.there ?? 0;
}

/** As `ArtifactStore.erasedOf`. What is erased is little: it is asked which of that the run refers to. */
export async function erasedOf(
  client: Pick<PoolClient, 'query'>,
  tenantId: string,
  runId: string,
): Promise<readonly string[]> {
  const { rows } = await client.query<{ artifact_id: string }>(ERASED, [tenantId, runId]);
  return rows.map((row) => row.artifact_id);
}
