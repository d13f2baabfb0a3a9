import { isDeepStrictEqual } from 'node:util';
import { isErased, type ArtifactStore } from '@palimpsest/kernel';
import { UNNAMED, type WindowToCheck } from '../history/replayed-run.js';
import type { Mismatch } from './recorded-effects.js';

/** Whether what a loop's events say, rendered again, is what their window stored. Erased content cannot be told. */
export async function turnsAgain(
  { said, context }: WindowToCheck,
  artifacts: ArtifactStore,
  tenantId: string,
): Promise<Mismatch | undefined> {
  if (said.length === 0) return undefined;
  const ids = context.turns.map(({ artifactId }) => artifactId);
  const readings = await artifacts.get(
    tenantId,
    ids.filter((id) => id !== UNNAMED),
  );
  for (const [index, { sequence, message }] of said.entries()) {
    const stored = readings.get(ids[index] ?? UNNAMED);
    if (!stored) return { sequence, what: 'its rendering is missing' };
    if (!isErased(stored) && !isDeepStrictEqual(stored.content, message))
      return { sequence, what: 'its rendering is not what the event says' };
  }
  return undefined;
}
