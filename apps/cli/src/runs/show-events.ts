import type { RunEvent } from '@palimpsest/client';
import { rowLine, tableLines, type Column } from '../output/table.js';
import { oneLine } from '../output/text.js';
import type { CommonOptions, Session } from '../program/session.js';
import { eventDetails } from './event-details.js';

export type EventsOptions = CommonOptions & { readonly follow?: boolean };

const COLUMNS: readonly Column[] = [
  { title: 'event', right: true },
  { title: 'time' },
  { title: 'type' },
  { title: 'what', flexible: true },
];
/** For rows that are written before the next is known. */
const FOLLOWED_WIDTHS = [7, 12, 27, 60];

/** `palimpsest events <run>`; with `--json` an event a line. */
export async function showEvents(runId: string, options: EventsOptions, session: Session): Promise<void> {
  const { output } = session;
  const api = await session.api(options);
  if (options.follow) {
    for await (const event of api.followEvents(runId)) {
      if (options.json) output.json(event);
      else output.line(rowLine(COLUMNS, FOLLOWED_WIDTHS, eventRow(event)));
    }
    return;
  }
  const events = await api.readEvents(runId);
  if (options.json) return events.forEach((event) => output.json(event));
  output.lines(tableLines(COLUMNS, events.map(eventRow), output.width));
}

function eventRow(event: RunEvent): string[] {
  return [`#${event.sequence}`, event.timestamp.slice(11, 23), event.type, oneLine(eventDetails(event), 100)];
}
