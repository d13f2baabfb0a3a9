import type { ArtifactReference } from '../ports/artifact-store.js';
import { isReadableScope, readableIds } from './artifact-scope.js';

/** References of one question to a database or another process. */
const BATCH = 500;

/**
 * Ids among the references that cannot be read, each once, in the order given. Only what an artifact can be called is
 * asked for: nothing stands under any other id.
 */
export async function unreadableAmong(
  tenantId: string,
  references: readonly ArtifactReference[],
  ask: (batch: readonly ArtifactReference[]) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const ids = references.map(({ artifactId }) => artifactId);
  const wellFormed = new Set(isReadableScope(tenantId) ? readableIds(ids) : []);
  const asked = references.filter(({ artifactId }) => wellFormed.has(artifactId));
  const unreadable = new Set(ids.filter((id) => !wellFormed.has(id)));
  for (let start = 0; start < asked.length; start += BATCH)
    for (const id of await ask(asked.slice(start, start + BATCH))) unreadable.add(id);
  return [...new Set(ids)].filter((id) => unreadable.has(id));
}
