import type { WindowPlan } from '@palimpsest/contracts';
import type { ArtifactStore, ModelMessage } from '@palimpsest/kernel';
import { artifactIdsOf, entryMessage, readContents, type FedMessage } from '@palimpsest/transcript';

/**
 * A window as messages of a model: its entries in their order, each as it was counted. What is no decision of the model is
 * a user's message. @throws ArtifactErasedError where content that is to be fed was erased
 */
export async function windowMessages(
  artifacts: Pick<ArtifactStore, 'get'>,
  tenantId: string,
  { entries }: Pick<WindowPlan, 'entries'>,
): Promise<readonly ModelMessage[]> {
  const contentOf = await readContents(artifacts, tenantId, artifactIdsOf(entries));
  return entries.map((entry) => modelMessage(entryMessage(entry, contentOf)));
}

function modelMessage({ role, text }: FedMessage): ModelMessage {
  return { role: role === 'assistant' ? 'assistant' : 'user', text };
}
