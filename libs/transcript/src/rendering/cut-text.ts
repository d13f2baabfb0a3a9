import { boundedCount, codePoints, type Measure } from './measure.js';
import { textEnds } from './text-ends.js';

export type Cut = {
  /** The event whose full text stays readable. */
  readonly sequence: number;
  readonly max: number;
  readonly measure: Measure;
};

/** Shares of the room beside the marker: facts are what a reader comes back for. */
const HEAD_SHARE = 0.25;
const TAIL_SHARE = 0.15;

const ROUNDS = 6;

/** Says how many characters are not shown and in which event of the log they stand. */
export function marker(omitted: number, sequence: number): string {
  return `[… ${omitted} omitted, see #${sequence} …]`;
}

/** Characters of what is left out that are looked at for facts. */
const FACTS_LOOK_AT = 128 * 1024;

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
  const head = measure.head(text, measure.counter, Math.floor(max * HEAD_SHARE));
  const rest = text.slice(head.length);
  const tail = measure.tail(rest, measure.counter, Math.floor(max * TAIL_SHARE));
  const middle = rest.slice(0, rest.length - tail.length);
  const shown = measure.count(head, measure.counter) + measure.count(tail, measure.counter);
  const facts = factsOf(middle)(max - shown);
  return [head, marker(codePoints(middle), sequence), facts, tail].filter((part) => part !== '').join('\n');
}
