import { Inject, Injectable } from '@nestjs/common';
import type { MessageContent, WindowPlan } from '@palimpsest/contracts';
import { ARTIFACT_STORE, type ArtifactStore } from '@palimpsest/kernel';
import {
  artifactIdsOf,
  entryMessage,
  instructionMessage,
  readContents,
  type FedMessage,
} from '@palimpsest/transcript';

/** A window's messages with their texts: those of its entries, in their order, and the instructions. */
export type WindowTexts = {
  readonly entries: readonly FedMessage[];
  readonly instructions: readonly FedMessage[];
};

/** Gives a plan, which travels as ids and counts, its texts. */
@Injectable()
export class WindowTextsReader {
  constructor(@Inject(ARTIFACT_STORE) private readonly artifacts: ArtifactStore) {}

  /** @throws ArtifactErasedError where content that was fed was erased since */
  async read(tenantId: string, { entries, instructions }: WindowPlan): Promise<WindowTexts> {
    const ids = [...artifactIdsOf(entries), ...instructions.map(({ artifactId }) => artifactId)];
    const contentOf = await readContents(this.artifacts, tenantId, ids);
    return {
      entries: entries.map((entry) => entryMessage(entry, contentOf)),
      instructions: instructions.map(({ sequence, artifactId }) =>
        instructionMessage(sequence, contentOf<MessageContent>(artifactId)),
      ),
    };
  }
}
