import { PIN_ADDED, PIN_REMOVED, type NewRunEvent } from '@palimpsest/contracts';
import type { ArtifactStore } from '@palimpsest/kernel';
import { countAll } from '@palimpsest/tokens';
import { renderMessage } from '@palimpsest/transcript';

type Pinned = {
  readonly tenantId: string;
  readonly runId: string;
  readonly pinId: string;
  readonly text: string;
};

/** The event of a pin whose text is stored. */
export async function pinAdded(
  artifacts: ArtifactStore,
  { tenantId, runId, pinId, text }: Pinned,
): Promise<NewRunEvent> {
  const content = { role: 'user' as const, text };
  const [artifactId = ''] = await artifacts.put(tenantId, runId, [
    { type: 'message', origin: pinId, content },
  ]);
  return {
    type: PIN_ADDED,
    schemaVersion: 1,
    nodeId: `pin:${pinId}`,
    payload: { pinId, artifactId },
    counts: countAll(renderMessage(content)),
  };
}

export function pinRemoved(pinId: string): NewRunEvent {
  return { type: PIN_REMOVED, schemaVersion: 1, nodeId: `pin:${pinId}`, payload: { pinId } };
}
