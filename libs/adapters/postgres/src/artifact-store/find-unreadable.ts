import type { Pool } from 'pg';
import type { ArtifactReference } from '@palimpsest/kernel';

/** Contents are hashed where they lie: none is sent. A subquery, so that each artifact is looked up by its key. */
const UNREADABLE = `
SELECT asked.artifact_id FROM unnest($2::text[], $3::text[]) AS asked(artifact_id, type)
WHERE (
  SELECT a.type = asked.type AND sha256(a.content) = a.sha256 FROM artifact_store.artifacts a
  WHERE a.tenant_id = $1 AND a.artifact_id = asked.artifact_id
) IS NOT TRUE`;

/** Ids of those that are absent, erased (their content is NULL), of another type or altered. */
export async function findUnreadable(
  pool: Pool,
  tenantId: string,
  references: readonly ArtifactReference[],
): Promise<readonly string[]> {
  const { rows } = await pool.query<{ artifact_id: string }>({
    name: 'artifact_store.unreadable',
    text: UNREADABLE,
    values: [tenantId, references.map(({ artifactId }) => artifactId), references.map(({ type }) => type)],
  });
  return rows.map((row) => row.artifact_id);
}
