import type { ArtifactReference, ArtifactStore } from '@palimpsest/kernel';

/**
 * True where every artifact is there, of its type, not erased and unaltered. The store looks at the contents, batch by
 * batch, and none of them comes here; an artifact is looked at once.
 */
export async function allReadable(
  store: ArtifactStore,
  tenantId: string,
  batches: AsyncIterable<readonly ArtifactReference[]>,
): Promise<boolean> {
  const seen = new Set<string>();
  for await (const batch of batches) {
    const unseen = batch.filter(({ artifactId }) => !seen.has(artifactId));
    if (unseen.length === 0) continue;
    if ((await store.unreadable(tenantId, unseen)).length > 0) return false;
    for (const { artifactId } of unseen) seen.add(artifactId);
  }
  return true;
}
