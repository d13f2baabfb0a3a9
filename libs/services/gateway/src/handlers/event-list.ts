import { Readable } from 'node:stream';
import type { RecordedEvent, RunEvent, RunHeader } from '@palimpsest/contracts';
import type { EventLog, EventPage } from '@palimpsest/kernel';

/** The public envelope: what is counted on a row is the services' own. */
export function publicEvent({ counts: _counts, ...event }: RecordedEvent): RunEvent {
  return event;
}

/**
 * `{"events":[…]}` of a run's log as of its head, written page by page. The first page is read before this
 * resolves, so that a log that cannot be read is still answered with an error.
 */
export async function eventList(log: EventLog, run: RunHeader): Promise<Readable> {
  const read = (fromSequence: number): Promise<EventPage> =>
    log.readRun({ tenantId: run.tenantId, runId: run.runId, fromSequence });
  const first = await read(0);
  return Readable.from(chunks(first, run.head, read), { objectMode: false });
}

async function* chunks(
  first: EventPage,
  head: number,
  read: (fromSequence: number) => Promise<EventPage>,
): AsyncGenerator<string> {
  yield '{"events":[';
  let separator = '';
  for (let page: EventPage | undefined = first; page; page = await nextPage(page, head, read)) {
    const events = page.events.filter(({ sequence }) => sequence <= head);
    if (events.length === 0) continue;
    yield separator + events.map((event) => JSON.stringify(publicEvent(event))).join(',');
    separator = ',';
  }
  yield ']}';
}

async function nextPage(
  page: EventPage,
  head: number,
  read: (fromSequence: number) => Promise<EventPage>,
): Promise<EventPage | undefined> {
  return page.next === undefined || page.next > head ? undefined : read(page.next);
}
