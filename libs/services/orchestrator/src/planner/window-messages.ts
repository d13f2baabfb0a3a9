import type {
  MessageContent,
  RenderingContent,
  SummaryContent,
  WindowEntry,
  WindowPlan,
} from '@palimpsest/contracts';
import {
  ArtifactErasedError,
  isErased,
  TerminalError,
  type ArtifactReading,
  type ArtifactStore,
  type ModelMessage,
} from '@palimpsest/kernel';
import {
  elidedMessage,
  fedTurnMessage,
  renderSummary,
  summaryMessage,
  type FedMessage,
} from '@palimpsest/transcript';

const IDS_PER_READ = 200;

/**
 * A window as messages of a model: its entries in their order, each as it was counted. What is no decision of the model is
 * a user's message. @throws ArtifactErasedError where content that is to be fed was erased
 */
export async function windowMessages(
  artifacts: Pick<ArtifactStore, 'get'>,
  tenantId: string,
  { entries }: Pick<WindowPlan, 'entries'>,
): Promise<readonly ModelMessage[]> {
  const ids = new Set(entries.filter(({ form }) => form !== 'elided').flatMap(artifactIdsOf));
  const readings = await readAll(artifacts, tenantId, [...ids]);
  const contentOf = <Content>(artifactId: string): Content => contentIn<Content>(readings, artifactId);
  return entries.map((entry) => modelMessage(fedMessage(entry, contentOf)));
}

function artifactIdsOf({ artifactId, messageArtifactId }: WindowEntry): readonly string[] {
  return [artifactId, ...(messageArtifactId === undefined ? [] : [messageArtifactId])];
}

async function readAll(
  artifacts: Pick<ArtifactStore, 'get'>,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ArtifactReading>> {
  const readings = new Map<string, ArtifactReading>();
  for (let at = 0; at < ids.length; at += IDS_PER_READ) {
    const page = await artifacts.get(tenantId, ids.slice(at, at + IDS_PER_READ));
    for (const [id, reading] of page) readings.set(id, reading);
  }
  return readings;
}

type ContentOf = <Content>(artifactId: string) => Content;

function fedMessage(entry: WindowEntry, contentOf: ContentOf): FedMessage {
  const { kind, form, sequence, turn, artifactId, messageArtifactId } = entry;
  const place = { sequence, turn };
  if (kind === 'summary')
    return summaryMessage(sequence, renderSummary(contentOf<SummaryContent>(artifactId).text));
  if (form === 'elided') return elidedMessage(place, entry.toolCallIds[0] ?? '');
  if (form === 'full') return fedTurnMessage(place, contentOf<MessageContent>(artifactId));
  const whole = contentOf<MessageContent>(messageArtifactId ?? artifactId);
  return fedTurnMessage(place, whole, contentOf<RenderingContent>(artifactId));
}

function modelMessage({ role, text }: FedMessage): ModelMessage {
  return { role: role === 'assistant' ? 'assistant' : 'user', text };
}

function contentIn<Content>(readings: ReadonlyMap<string, ArtifactReading>, artifactId: string): Content {
  const reading = readings.get(artifactId);
  if (!reading) throw new WindowTextMissingError(artifactId);
  if (isErased(reading)) throw new ArtifactErasedError(artifactId);
  return reading.content as Content;
}

/** A window refers to content that is not there: something was lost. */
class WindowTextMissingError extends TerminalError {
  constructor(artifactId: string) {
    super('internal_error', 'Content that the log refers to is missing.', { details: { artifactId } });
  }
}
