import { LOG_PAGE_EVENTS, type RecordedEvent } from '@palimpsest/contracts';
import type { EventLog, EventPage } from '../ports/event-log.js';

export type EventRange = {
  readonly tenantId: string;
  readonly runId: string;
  /** First and last sequence wanted, both included. `Infinity` (ascending only) goes on to whatever the end is by then. */
  readonly from: number;
  readonly to: number;
  readonly types?: readonly string[];
  /** Newest first. */
  readonly backwards?: boolean;
  readonly withChain?: boolean;
};

type ReadableLog = Pick<EventLog, 'readRun'>;

/** The events of a range in log order, page by page: a log is never held whole. */
export async function* readEvents(
  log: ReadableLog,
  range: EventRange,
): AsyncGenerator<RecordedEvent, void, undefined> {
  for await (const page of eventPages(log, range)) yield* page;
}

/** As {@link readEvents}, a page at a time; none is empty. */
export async function* eventPages(
  log: ReadableLog,
  { from, to, ...asked }: EventRange,
): AsyncGenerator<readonly RecordedEvent[], void, undefined> {
  let at: number | undefined = asked.backwards ? to : from;
  while (at !== undefined && at >= from && at <= to) {
    const limit = Math.min(LOG_PAGE_EVENTS, asked.backwards ? at - from + 1 : to - at + 1);
    const page: EventPage = await log.readRun({ ...asked, fromSequence: at, limit });
    // A page of some types may reach beyond the range.
    const events = page.events.filter(({ sequence }) => sequence >= from && sequence <= to);
    if (events.length > 0) yield events;
    at = page.next;
  }
}
