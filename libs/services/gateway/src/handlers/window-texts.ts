import { Inject, Injectable } from '@nestjs/common';
import type {
  MessageContent,
  RenderingContent,
  SummaryContent,
  WindowEntry,
  WindowPlan,
} from '@palimpsest/contracts';
import {
  ARTIFACT_STORE,
  ArtifactErasedError,
  isErased,
  TerminalError,
  type ArtifactReading,
  type ArtifactStore,
} from '@palimpsest/kernel';
import {
  elidedMessage,
  fedTurnMessage,
  instructionMessage,
  pinMessage,
  renderSummary,
  summaryMessage,
  type FedMessage,
} from '@palimpsest/transcript';

/** A window's messages with their texts: those of its entries, in their order, and the instructions. */
export type WindowTexts = {
  readonly entries: readonly FedMessage[];
  readonly instructions: readonly FedMessage[];
};

const IDS_PER_READ = 200;

/** Gives a plan, which travels as ids and counts, its texts. */
@Injectable()
export class WindowTextsReader {
  constructor(@Inject(ARTIFACT_STORE) private readonly artifacts: ArtifactStore) {}

  /** @throws ArtifactErasedError where content that was fed was erased since */
  async read(tenantId: string, plan: WindowPlan): Promise<WindowTexts> {
    const readings = await this.readAll(tenantId, artifactIdsOf(plan));
    const contentOf = <Content>(artifactId: string): Content => contentIn<Content>(readings, artifactId);
    return {
      entries: plan.entries.map((entry) => entryMessage(entry, contentOf)),
      instructions: plan.instructions.map(({ sequence, artifactId }) =>
        instructionMessage(sequence, contentOf<MessageContent>(artifactId)),
      ),
    };
  }

  private async readAll(
    tenantId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, ArtifactReading>> {
    const readings = new Map<string, ArtifactReading>();
    for (let at = 0; at < ids.length; at += IDS_PER_READ) {
      const page = await this.artifacts.get(tenantId, ids.slice(at, at + IDS_PER_READ));
      for (const [id, reading] of page) readings.set(id, reading);
    }
    return readings;
  }
}

type ContentOf = <Content>(artifactId: string) => Content;

function entryMessage(entry: WindowEntry, contentOf: ContentOf): FedMessage {
  const place = { sequence: entry.sequence, turn: entry.turn };
  if (entry.kind === 'summary') {
    return summaryMessage(entry.sequence, renderSummary(contentOf<SummaryContent>(entry.artifactId).text));
  }
  if (entry.kind === 'pin') return pinMessage(entry.sequence, contentOf<MessageContent>(entry.artifactId));
  if (entry.form === 'elided') return elidedMessage(place, entry.toolCallIds[0] ?? '');
  if (entry.form === 'full') return fedTurnMessage(place, contentOf<MessageContent>(entry.artifactId));
  const whole = contentOf<MessageContent>(entry.messageArtifactId ?? entry.artifactId);
  return fedTurnMessage(place, whole, contentOf<RenderingContent>(entry.artifactId));
}

/** What an elided entry said is not read. */
function artifactIdsOf(plan: WindowPlan): readonly string[] {
  const fed = plan.entries.filter(({ form }) => form !== 'elided');
  return [
    ...new Set([
      ...fed.map(({ artifactId }) => artifactId),
      ...fed.flatMap(({ messageArtifactId }) => messageArtifactId ?? []),
      ...plan.instructions.map(({ artifactId }) => artifactId),
    ]),
  ];
}

function contentIn<Content>(readings: ReadonlyMap<string, ArtifactReading>, artifactId: string): Content {
  const reading = readings.get(artifactId);
  if (!reading) throw new ArtifactMissingError(artifactId);
  if (isErased(reading)) throw new ArtifactErasedError(artifactId);
  return reading.content as Content;
}

/** An event refers to content that is not there: something was lost. */
class ArtifactMissingError extends TerminalError {
  constructor(artifactId: string) {
    super('internal_error', 'Content that the log refers to is missing.', { details: { artifactId } });
  }
}
