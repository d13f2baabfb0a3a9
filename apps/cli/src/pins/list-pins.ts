import type { PalimpsestApi } from '../client/palimpsest-api.js';
import { tableLines, type Column } from '../output/table.js';
import { count, moment } from '../output/text.js';
import type { CommonOptions, Session } from '../program/session.js';

const COLUMNS: readonly Column[] = [
  { title: 'pin' },
  { title: 'what', dropFirst: 2 },
  { title: 'since', dropFirst: 1 },
  { title: 'tokens', right: true },
];

/** `palimpsest pin list <run>` */
export async function listPins(runId: string, options: CommonOptions, session: Session): Promise<void> {
  const { output } = session;
  const api = await session.api(options);
  const list = await api.listPins(runId);
  const pinned = list.pins.length === 0 ? NONE : await pinnedEvents(api, runId);
  const pins = list.pins.map((pin) => {
    const pinnedEventId = pinned.get(pin.pinId);
    return { ...pin, ...(pinnedEventId !== undefined && { pinnedEventId }) };
  });
  if (options.json) return output.json({ ...list, pins });
  if (pins.length === 0) return output.note(`Nothing is pinned: npx palimpsest pin add ${runId} <text>`);
  const rows = pins.map(({ pinId, pinnedEventId, at, tokens }) => [
    pinId,
    pinnedEventId ?? 'a text',
    moment(at),
    count(tokens),
  ]);
  output.lines(tableLines(COLUMNS, rows, output.width));
}

const NONE: ReadonlyMap<string, string> = new Map();

/** By pin: the event whose content it feeds. Only the log says which; of a pinned text there is none. */
async function pinnedEvents(api: PalimpsestApi, runId: string): Promise<ReadonlyMap<string, string>> {
  const events = await api.readEvents(runId);
  const added = events.filter(({ type }) => type === 'palimpsest.pin.added');
  return new Map(
    added.flatMap(({ payload: { pinId, pinnedEventId } }) =>
      typeof pinnedEventId === 'string' ? [[String(pinId), pinnedEventId]] : [],
    ),
  );
}
