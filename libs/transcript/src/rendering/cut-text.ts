import { opensJson } from '../facts/json-leaves.js';
import { boundedCount, codePoints, type Measure } from './measure.js';
import { textEnds } from './text-ends.js';

export type Cut = {
  /** The event whose full text stays readable. */
  readonly sequence: number;
  readonly max: number;
  readonly measure: Measure;
};

type Ends = { readonly head: number; readonly tail: number };

/** Shares of the room beside the marker: facts are what a reader comes back for. */
const PROSE_ENDS: Ends = { head: 0.25, tail: 0.15 };
/** The first and last characters of structured data say less than any of its values beside their keys. */
const DATA_ENDS: Ends = { head: 0, tail: 0 };
/** What the facts leave free is given to the beginning, from this share on: a shorter one says nothing. */
export const LEAST_HEAD = 0.25;

const ROUNDS = 6;

/** Says how many characters are not shown and in which event of the log they stand. */
export function marker(omitted: number, sequence: number): string {
  return `[… ${omitted} omitted, see #${sequence} …]`;
}

/** Characters of what is left out that are looked at for facts. */
export const FACTS_LOOK_AT = 128 * 1024;

type FactLine = (max: number) => string;

/**
 * Cuts one text to any size: its beginning, the marker, the facts of what is left out, its end. `undefined` where
 * not even the marker fits. The text is read for facts once, however often it is cut.
 */
export function textCutter(text: string, target: Omit<Cut, 'max'>): (max: number) => string | undefined {
  let read: FactLine | undefined;
  const facts = (middle: string): FactLine =>
    (read ??= target.measure.facts(textEnds(middle, FACTS_LOOK_AT), target.measure.counter));
  return (max) => cutText(text, { ...target, max }, facts);
}

type FactsOf = (middle: string) => FactLine;

function cutText(text: string, cut: Cut, factsOf: FactsOf): string | undefined {
  const { measure, max, sequence } = cut;
  if (boundedCount(text, max, measure) <= max) return text;
  const shortest = marker(codePoints(text), sequence);
  const frame = measure.count(`\n${shortest}\n`, measure.counter);
  let room = max - frame;
  for (let round = 0; round < ROUNDS && room > 0; round += 1) {
    const candidate = composed(text, { ...cut, max: room }, factsOf);
    const excess = measure.count(candidate, measure.counter) - max;
    if (excess <= 0) return candidate;
    room -= excess + round;
  }
  return measure.count(shortest, measure.counter) <= max ? shortest : undefined;
}

/** The parts within `max`; the marker and the line feeds come on top. */
function composed(text: string, { measure, sequence, max }: Cut, factsOf: FactsOf): string {
  const size = (part: string): number => measure.count(part, measure.counter);
  const ends = opensJson(text, text.length - text.trimStart().length) ? DATA_ENDS : PROSE_ENDS;
  const tail = measure.tail(text, measure.counter, Math.floor(max * ends.tail));
  const before = text.slice(0, text.length - tail.length);
  const least = measure.head(before, measure.counter, Math.floor(max * ends.head));
  const facts = factsOf(before.slice(least.length))(max - size(least) - size(tail));
  const room = max - size(facts) - size(tail);
  const head = room < max * LEAST_HEAD ? least : measure.head(before, measure.counter, room);
  const omitted = codePoints(before) - codePoints(head);
  return [head, marker(omitted, sequence), facts, tail].filter((part) => part !== '').join('\n');
}
