import { Readable } from 'node:stream';
import type { RecordedEvent, RunEvent, RunHeader } from '@palimpsest/contracts';
import { eventPages, type EventLog } from '@palimpsest/kernel';

/** The public envelope: what is counted on a row is the services' own. */
export function publicEvent({ counts: _counts, ...event }: RecordedEvent): RunEvent {
  return event;
}

/**
 * `{"events":[…]}` of a run's log as of its head, written page by page. The first page is read before this
 * resolves, so that a log that cannot be read is still answered with an error.
 */
export async function eventList(log: EventLog, run: RunHeader): Promise<Readable> {
  const { tenantId, runId, head } = run;
  const pages = eventPages(log, { tenantId, runId, from: 0, to: head });
  const first = await pages.next();
  return Readable.from(chunks(first, pages), { objectMode: false });
}

type Pages = ReturnType<typeof eventPages>;

async function* chunks(first: Awaited<ReturnType<Pages['next']>>, pages: Pages): AsyncGenerator<string> {
  yield '{"events":[';
  let separator = '';
  for (let page = first; !page.done; page = await pages.next()) {
    yield separator + page.value.map((event) => JSON.stringify(publicEvent(event))).join(',');
    separator = ',';
  }
  yield ']}';
}
