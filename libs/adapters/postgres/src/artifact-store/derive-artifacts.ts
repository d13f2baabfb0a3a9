import type { PoolClient } from 'pg';
import { ValidationError, type SealedArtifact } from '@palimpsest/kernel';

const READ_SOURCES = `
SELECT artifact_id, erased_at IS NOT NULL AS erased FROM artifact_store.artifacts
WHERE tenant_id = $1 AND artifact_id = ANY ($2::text[])`;

const DERIVE = `
INSERT INTO artifact_store.derivations (tenant_id, source_id, artifact_id)
SELECT $1, source_id, artifact_id FROM unnest($2::text[], $3::text[]) AS given(source_id, artifact_id)
ORDER BY source_id COLLATE "C", artifact_id COLLATE "C"
ON CONFLICT DO NOTHING`;

/**
 * The sources that are erased. One that is neither stored nor part of the put is refused: erasing it could
 * never reach what derives from it. The caller holds the tenant's erasure lock.
 */
export async function erasedSources(
  client: PoolClient,
  tenantId: string,
  sealed: readonly SealedArtifact[],
): Promise<readonly string[]> {
  const sources = [...new Set(sealed.flatMap((artifact) => artifact.derivedFrom))];
  const { rows } = await client.query<{ artifact_id: string; erased: boolean }>(READ_SOURCES, [
    tenantId,
    sources,
  ]);
  const known = new Set([
    ...rows.map((row) => row.artifact_id),
    ...sealed.map((artifact) => artifact.artifactId),
  ]);
  const missing = sources.find((source) => !known.has(source));
  if (missing)
    throw new ValidationError('An artifact derives from one that is not stored.', { artifactId: missing });
  return rows.filter((row) => row.erased).map((row) => row.artifact_id);
}

export async function recordDerivations(
  client: PoolClient,
  tenantId: string,
  sealed: readonly SealedArtifact[],
): Promise<void> {
  const pairs = sealed.flatMap(({ artifactId, derivedFrom }) =>
    derivedFrom.map((sourceId) => ({ artifactId, sourceId })),
  );
  const sourceIds = pairs.map((pair) => pair.sourceId);
  const artifactIds = pairs.map((pair) => pair.artifactId);
  await client.query(DERIVE, [tenantId, sourceIds, artifactIds]);
}
