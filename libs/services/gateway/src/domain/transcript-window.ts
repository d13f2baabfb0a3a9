import type { ContextSettings, JsonObject, WindowPlan } from '@palimpsest/contracts';
import type { FedMessage } from '@palimpsest/transcript';

/**
 * A recorded window in the shape of the seam (host specification §9.2). `eventIds` are those fed verbatim, pins among
 * them; a summary is named by the event that recorded it, in `entries` only.
 */
export function transcriptWindow(plan: WindowPlan, fed: readonly FedMessage[]): JsonObject {
  const { window, entries, summarizedRanges } = plan;
  return {
    tokenCounter: window.tokenCounter,
    tokenCount: window.tokenCount,
    eventIds: entries.filter(({ kind }) => kind !== 'summary').map(({ eventId }) => eventId),
    summarizedRanges: summarizedRanges.map(({ summaryRef, replacedTurns }) => ({
      summaryRef,
      replacedTurns,
    })),
    entries: entries.map(({ eventId }, index) => ({ eventId, rendered: fed[index]?.rendered ?? '' })),
  };
}

/** What the first turn of a loop is fed before it is planned: nothing. */
export function emptyTranscriptWindow({ tokenCounter }: ContextSettings): JsonObject {
  return { tokenCounter, tokenCount: 0, eventIds: [], summarizedRanges: [], entries: [] };
}
