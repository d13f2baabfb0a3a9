import { LOG_PAGE_EVENTS, type RecordedEvent } from '@palimpsest/contracts';
import type { EventLog } from '@palimpsest/kernel';

export type EventRange = {
  readonly tenantId: string;
  readonly runId: string;
  /** First and last sequence wanted, both included. */
  readonly from: number;
  readonly to: number;
  readonly types?: readonly string[];
  readonly withChain?: boolean;
};

/** The events of a range in log order, page by page: a log is never held whole. */
export async function* readEvents(
  eventLog: EventLog,
  range: EventRange,
): AsyncGenerator<RecordedEvent, void> {
  const { tenantId, runId, to, types, withChain } = range;
  let from: number | undefined = range.from;
  while (from !== undefined && from <= to) {
    const limit = Math.min(LOG_PAGE_EVENTS, to - from + 1);
    const page = await eventLog.readRun({
      tenantId,
      runId,
      fromSequence: from,
      limit,
      ...(types && { types }),
      ...(withChain && { withChain }),
    });
    for (const event of page.events) {
      if (event.sequence > to) return;
      yield event;
    }
    from = page.next;
  }
}

/** As {@link readEvents}, newest first. */
export async function* readEventsBackwards(
  eventLog: EventLog,
  range: EventRange,
): AsyncGenerator<RecordedEvent, void> {
  const { tenantId, runId, from, types } = range;
  let at: number | undefined = range.to;
  while (at !== undefined && at >= from) {
    const limit = Math.min(LOG_PAGE_EVENTS, at - from + 1);
    const page = await eventLog.readRun({
      tenantId,
      runId,
      fromSequence: at,
      limit,
      backwards: true,
      ...(types && { types }),
    });
    for (const event of page.events) {
      if (event.sequence < from) return;
      yield event;
    }
    at = page.next;
  }
}
