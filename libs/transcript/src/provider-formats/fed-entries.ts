import type { MessageContent, RenderingContent, SummaryContent, WindowEntry } from '@palimpsest/contracts';
import {
  ArtifactErasedError,
  isErased,
  TerminalError,
  type ArtifactReading,
  type ArtifactStore,
} from '@palimpsest/kernel';
import { renderSummary } from '../rendering/summary.js';
import { elidedMessage, fedTurnMessage, pinMessage, summaryMessage, type FedMessage } from './fed-message.js';

const IDS_PER_READ = 200;

/** @throws ArtifactErasedError of content that was erased since */
export type ContentOf = <Content>(artifactId: string) => Content;

/** Where the texts of entries are; what an elided one said is not read. */
export function artifactIdsOf(entries: readonly WindowEntry[]): readonly string[] {
  return entries
    .filter(({ form }) => form !== 'elided')
    .flatMap(({ artifactId, messageArtifactId }) => [
      artifactId,
      ...(messageArtifactId === undefined ? [] : [messageArtifactId]),
    ]);
}

/** What artifacts hold, read in pages and each once. */
export async function readContents(
  artifacts: Pick<ArtifactStore, 'get'>,
  tenantId: string,
  artifactIds: readonly string[],
): Promise<ContentOf> {
  const ids = [...new Set(artifactIds)];
  const readings = new Map<string, ArtifactReading>();
  for (let at = 0; at < ids.length; at += IDS_PER_READ) {
    const page = await artifacts.get(tenantId, ids.slice(at, at + IDS_PER_READ));
    for (const [id, reading] of page) readings.set(id, reading);
  }
  return (artifactId) => contentIn(readings, artifactId);
}

/** An entry with its text: the same for whoever feeds the window, or shows what was fed. */
export function entryMessage(entry: WindowEntry, contentOf: ContentOf): FedMessage {
  const { kind, form, sequence, turn, artifactId, messageArtifactId } = entry;
  const place = { sequence, turn };
  if (kind === 'summary')
    return summaryMessage(sequence, renderSummary(contentOf<SummaryContent>(artifactId).text));
  if (kind === 'pin') return pinMessage(sequence, contentOf<MessageContent>(artifactId));
  if (form === 'elided') return elidedMessage(place, entry.toolCallIds[0] ?? '');
  if (form === 'full') return fedTurnMessage(place, contentOf<MessageContent>(artifactId));
  const whole = contentOf<MessageContent>(messageArtifactId ?? artifactId);
  return fedTurnMessage(place, whole, contentOf<RenderingContent>(artifactId));
}

function contentIn<Content>(readings: ReadonlyMap<string, ArtifactReading>, artifactId: string): Content {
  const reading = readings.get(artifactId);
  if (!reading) throw new ContentMissingError(artifactId);
  if (isErased(reading)) throw new ArtifactErasedError(artifactId);
  return reading.content as Content;
}

/** The log refers to content that is not there: something was lost. */
class ContentMissingError extends TerminalError {
  constructor(artifactId: string) {
    super('internal_error', 'Content that the log refers to is missing.', { details: { artifactId } });
  }
}
