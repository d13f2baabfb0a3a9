import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENT_PAYLOAD_SCHEMAS } from '@palimpsest/contracts';
import { isOwnLoop, type History } from '../history.js';

const FIRST = Date.parse('2026-01-01T00:00:00.000Z');

/** Artifacts by number. Histories that share events share the numbers. */
export type Numbers = Map<string, string>;

type HistoryFile = { readonly folder: string; readonly name: string; readonly numbers: Numbers };

/** Writes a history that is not there yet; one that is stands for runs that users have. */
export function writeHistory(history: History, { folder, name, numbers }: HistoryFile): void {
  const unknown = history.events.find(({ type }) => !(type in EVENT_PAYLOAD_SCHEMAS));
  if (unknown) throw new TypeError(`An event of the type ${unknown.type} is not specified.`);
  writeFileSync(join(folder, `${name}.json`), fileOf(history, numbers), { flag: 'wx' });
}

/** Members and events on lines of their own, times of own loops evenly spaced. */
function fileOf(history: History, numbers: Numbers): string {
  const { events, ...rest } = history;
  const own = isOwnLoop(history);
  const dated = events.map((event) =>
    own ? { ...event, timestamp: new Date(FIRST + event.sequence * 1000).toISOString() } : event,
  );
  const members = Object.entries(rest).map(([key, value]) => `${JSON.stringify(key)}: ${lines(value)}`);
  const text = `{\n${[...members, `"events": ${lines(dated)}`].join(',\n')}\n}\n`;
  return numbered(text, numbers);
}

function lines(value: unknown): string {
  if (Array.isArray(value)) return `[\n${value.map((item) => JSON.stringify(item)).join(',\n')}\n]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}: ${JSON.stringify(member)}`,
  );
  return `{\n${members.join(',\n')}\n}`;
}

function numbered(text: string, numbers: Numbers): string {
  return text.replaceAll(/art_[\w-]{32}/g, (id) => {
    const known = numbers.get(id) ?? `art_${String(numbers.size + 1).padStart(32, '0')}`;
    numbers.set(id, known);
    return known;
  });
}
