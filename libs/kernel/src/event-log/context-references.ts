import {
  CONTEXT_REFERENCES,
  CONTEXT_SUMMARIZED,
  WINDOW_PLANNED,
  type ContextSummarized,
  type RecordedEvent,
  type WindowPlanned,
} from '@palimpsest/contracts';
import type { ContextReferences } from '../ports/event-log.js';

/** What events in a row from `fromSequence` on refer to, up to the bound of one answer. */
export function contextReferencesOf(
  events: readonly RecordedEvent[],
  fromSequence: number,
): ContextReferences {
  const ofContext = events.filter(({ type }) => type === CONTEXT_SUMMARIZED || type === WINDOW_PLANNED);
  let size = 0;
  const end = ofContext.findIndex((event, place) => {
    const { cuts, fed } = referencesOf(event);
    size += 1 + cuts.length + fed.length;
    return place > 0 && size > CONTEXT_REFERENCES;
  });
  const page = ofContext.slice(0, end === -1 ? undefined : end).map(referencesOf);
  const next = ofContext[end]?.sequence;
  return {
    summaries: distinct(page.flatMap(({ summary }) => summary ?? [])),
    renderings: distinct(page.flatMap(({ cuts }) => cuts)),
    earlierSummaries: distinct(page.flatMap(({ fed }) => fed)).filter((place) => place < fromSequence),
    ...(next !== undefined && { next }),
  };
}

type References = {
  readonly summary?: string;
  readonly cuts: readonly string[];
  readonly fed: readonly number[];
};

// The log holds what its own schemas accepted; payloads are read back without checking them again.
function referencesOf({ type, payload }: RecordedEvent): References {
  if (type === CONTEXT_SUMMARIZED)
    return { summary: (payload as unknown as ContextSummarized).summaryRef, cuts: [], fed: [] };
  const { cuts, summarySequences } = payload as unknown as WindowPlanned;
  return { cuts: cuts.map(({ artifactId }) => artifactId), fed: summarySequences };
}

function distinct<Item>(items: readonly Item[]): readonly Item[] {
  return [...new Set(items)];
}
