import { isArtifactCorrupt, isErased, type ArtifactStore } from '@palimpsest/kernel';
import type { ContextArtifact } from './context-artifacts.js';

const BATCH = 32;

/**
 * True where every artifact is there, of its type, not erased and unaltered (the store checks content against
 * its hash as it reads). Content is looked at batch by batch and kept nowhere; an artifact is read once.
 */
export async function allReadable(
  store: ArtifactStore,
  tenantId: string,
  artifacts: AsyncIterable<ContextArtifact>,
): Promise<boolean> {
  const seen = new Set<string>();
  let batch: ContextArtifact[] = [];
  for await (const artifact of artifacts) {
    if (seen.has(artifact.artifactId)) continue;
    seen.add(artifact.artifactId);
    batch.push(artifact);
    if (batch.length < BATCH) continue;
    if (!(await batchReadable(store, tenantId, batch))) return false;
    batch = [];
  }
  return batchReadable(store, tenantId, batch);
}

async function batchReadable(
  store: ArtifactStore,
  tenantId: string,
  batch: readonly ContextArtifact[],
): Promise<boolean> {
  if (batch.length === 0) return true;
  const ids = batch.map(({ artifactId }) => artifactId);
  try {
    const readings = await store.get(tenantId, ids);
    return batch.every(({ artifactId, type }) => {
      const reading = readings.get(artifactId);
      return reading !== undefined && !isErased(reading) && reading.type === type;
    });
  } catch (error) {
    if (isArtifactCorrupt(error)) return false;
    throw error;
  }
}
