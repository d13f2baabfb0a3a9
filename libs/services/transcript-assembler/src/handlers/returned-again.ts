import type { MessageContent } from '@palimpsest/contracts';
import { isErased, type ArtifactStore, type CountTokens } from '@palimpsest/kernel';
import { renderMessage } from '@palimpsest/transcript';
import type { WindowToCheck } from '../history/replayed-run.js';
import type { Mismatch } from './recorded-effects.js';

type Ports = { readonly artifacts: ArtifactStore; readonly count: CountTokens };

/** Whether what workers returned to a loop counts what their events say. Erased content cannot be told. */
export async function returnedAgain(
  { returned, context }: WindowToCheck,
  { artifacts, count }: Ports,
  tenantId: string,
): Promise<Mismatch | undefined> {
  if (returned.length === 0) return undefined;
  const { tokenCounter } = context.settings;
  const readings = await artifacts.get(
    tenantId,
    returned.map(({ artifactId }) => artifactId),
  );
  for (const { sequence, artifactId, tokens } of returned) {
    const stored = readings.get(artifactId);
    if (!stored) return { sequence, what: 'its content is missing' };
    if (!isErased(stored) && count(renderMessage(stored.content as MessageContent), tokenCounter) !== tokens)
      return { sequence, what: 'its content counts other than recorded' };
  }
  return undefined;
}
