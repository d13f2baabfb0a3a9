import type { KeptLetter } from '@palimpsest/kernel';
import { moment, printable } from '../output/text.js';
import type { Session } from '../program/session.js';
import { ALL_LETTERS, type DlqOptions } from './dlq-options.js';
import { NoSuchLetterError, streamsOf, withLetterBus } from './letter-bus.js';
import { letterJson } from './letter-json.js';
import { readLetters } from './list-letters.js';

/** `palimpsest dlq show` */
export async function showLetter(
  id: string,
  options: DlqOptions,
  { output, environment }: Session,
): Promise<void> {
  const letters = await withLetterBus(options, environment, async (bus) =>
    (await readLetters(bus, streamsOf(options), ALL_LETTERS)).filter((letter) => letter.id === id),
  );
  if (letters.length === 0) throw new NoSuchLetterError(id);
  if (options.json) return output.json({ deadLetters: letters.map(letterJson) });
  output.lines(letters.flatMap((letter, index) => [...(index > 0 ? [''] : []), ...linesOf(letter)]));
}

function linesOf(letter: KeptLetter): string[] {
  const rows: readonly (readonly [string, string])[] = [
    ['id', letter.id],
    ['stream', letter.stream],
    ['consumer', letter.durable],
    ['subject', letter.subject],
    ['attempts', String(letter.attempts)],
    ['code', letter.code],
    ['died', moment(letter.buriedAt.toISOString())],
  ];
  const body = letter.bodyOmitted
    ? 'was not kept: it cannot be retried'
    : JSON.stringify(letter.body, null, 2);
  return [...rows.map(([name, value]) => `${name.padEnd(10)}${printable(value)}`), 'body', printable(body)];
}
