import type { StreamSpec } from '@palimpsest/contracts';
import type { KeptLetter, MessageBus } from '@palimpsest/kernel';
import { tableLines, type Column } from '../output/table.js';
import { moment, oneLine } from '../output/text.js';
import type { Session } from '../program/session.js';
import type { DlqOptions } from './dlq-options.js';
import { streamsOf, withLetterBus } from './letter-bus.js';
import { letterJson } from './letter-json.js';

export type ListLettersOptions = DlqOptions & { readonly limit: number };

const COLUMNS: readonly Column[] = [
  { title: 'id', flexible: true },
  { title: 'stream' },
  { title: 'consumer', dropFirst: 1 },
  { title: 'attempts', right: true, dropFirst: 2 },
  { title: 'code' },
  { title: 'died', dropFirst: 3 },
];

/** `palimpsest dlq list` */
export async function listLetters(
  options: ListLettersOptions,
  { output, environment }: Session,
): Promise<void> {
  const letters = await withLetterBus(options, environment, (bus) =>
    readLetters(bus, streamsOf(options), options.limit),
  );
  if (options.json) return output.json({ deadLetters: letters.map(letterJson) });
  if (letters.length === 0) return output.note('No dead letters.');
  output.lines(tableLines(COLUMNS, letters.map(rowOf), output.width));
}

/** Newest last, over all the streams. */
export async function readLetters(
  bus: MessageBus,
  streams: readonly StreamSpec[],
  limit: number,
): Promise<readonly KeptLetter[]> {
  const found: KeptLetter[] = [];
  for (const stream of streams) found.push(...(await bus.deadLetters(stream, limit)));
  return found.sort((a, b) => a.buriedAt.getTime() - b.buriedAt.getTime());
}

function rowOf({ id, stream, durable, attempts, code, buriedAt }: KeptLetter): string[] {
  return [
    oneLine(id, 160),
    stream,
    oneLine(durable, 40),
    String(attempts),
    oneLine(code, 40),
    moment(buriedAt.toISOString()),
  ];
}
