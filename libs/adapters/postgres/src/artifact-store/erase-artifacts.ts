import type { PoolClient } from 'pg';

/** `UNION` visits each once. Both parts see the rows as they were: what is in reach is the same for both. */
const ERASE = `
WITH RECURSIVE reached(artifact_id) AS (
  SELECT given COLLATE "C" FROM unnest($2::text[]) AS given
  UNION
  SELECT derivations.artifact_id
  FROM reached JOIN artifact_store.derivations ON tenant_id = $1 AND source_id = reached.artifact_id
), erased AS (
  UPDATE artifact_store.artifacts SET content = NULL, sha256 = NULL, erased_at = now()
  FROM reached
  WHERE tenant_id = $1 AND artifacts.artifact_id = reached.artifact_id AND erased_at IS NULL
)
SELECT artifact_id FROM reached JOIN artifact_store.artifacts USING (artifact_id)
WHERE tenant_id = $1
ORDER BY artifact_id <> ALL ($2::text[]), artifact_id`;

/** Erases artifacts and all that derives from them; the caller holds the tenant's lock as `erasing`. */
export async function eraseArtifacts(
  client: PoolClient,
  tenantId: string,
  artifactIds: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await client.query<{ artifact_id: string }>(ERASE, [tenantId, artifactIds]);
  return rows.map((row) => row.artifact_id);
}
