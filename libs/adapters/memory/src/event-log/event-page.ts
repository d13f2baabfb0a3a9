import { LOG_PAGE_BYTES, LOG_PAGE_EVENTS } from '@palimpsest/contracts';
import type { EventPage, ReadRunRequest } from '@palimpsest/kernel';
import { chainOf, recordedEvent, type StoredEvent, type StoredRun } from './stored-run.js';

/** As many as the limits allow, and one at least. */
export function pageOf<Item>(
  items: readonly Item[],
  limit: number,
  stored: (item: Item) => StoredEvent,
): Item[] {
  const page: Item[] = [];
  let bytes = 0;
  for (const item of items.slice(0, Math.min(limit, LOG_PAGE_EVENTS))) {
    bytes += stored(item).payloadBytes;
    if (page.length > 0 && bytes > LOG_PAGE_BYTES) break;
    page.push(item);
  }
  return page;
}

export function readPage(run: StoredRun, request: ReadRunRequest): EventPage {
  const wanted = eventsFrom(run.events, request).filter(
    ({ event }) => request.types?.includes(event.type) ?? true,
  );
  const page = pageOf(wanted, request.limit ?? LOG_PAGE_EVENTS, (event) => event);
  const next = wanted[page.length]?.sequence;
  return {
    events: page.map((event) => ({
      ...recordedEvent(run.runId, event, run.lineage),
      ...(request.withChain && { chain: chainOf(event) }),
    })),
    ...(next !== undefined && { next }),
  };
}

function eventsFrom(events: readonly StoredEvent[], { fromSequence, backwards }: ReadRunRequest) {
  return backwards
    ? events.slice(0, Math.max(0, fromSequence + 1)).reverse()
    : events.slice(Math.max(0, fromSequence));
}
