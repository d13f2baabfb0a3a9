import { tableLines, type Column } from '../output/table.js';
import { count, moment } from '../output/text.js';
import type { CommonOptions, Session } from '../program/session.js';

const COLUMNS: readonly Column[] = [
  { title: 'pin' },
  { title: 'event', dropFirst: 2 },
  { title: 'since', dropFirst: 1 },
  { title: 'tokens', right: true },
];

/** `palimpsest pin list <run>` */
export async function listPins(runId: string, options: CommonOptions, session: Session): Promise<void> {
  const { output } = session;
  const list = await (await session.api(options)).listPins(runId);
  if (options.json) return output.json(list);
  if (list.pins.length === 0) return output.note(`Nothing is pinned: npx palimpsest pin add ${runId} <text>`);
  const rows = list.pins.map(({ pinId, eventId, at, tokens }) => [pinId, eventId, moment(at), count(tokens)]);
  output.lines(tableLines(COLUMNS, rows, output.width));
}
