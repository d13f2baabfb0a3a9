import { boundedCount, codePoints, type Measure } from './measure.js';

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

/** A text in at most `max`: its beginning, the marker, the facts of what is left out, its end. */
export function cutText(text: string, cut: Cut): string | undefined {
  const { measure, max, sequence } = cut;
  if (boundedCount(text, max, measure) <= max) return text;
  const shortest = marker(codePoints(text), sequence);
  const frame = measure.count(`\n${shortest}\n`, measure.counter);
  let room = max - frame;
  for (let round = 0; round < ROUNDS && room > 0; round += 1) {
    const candidate = composed(text, room, cut);
    const excess = measure.count(candidate, measure.counter) - max;
    if (excess <= 0) return candidate;
    room -= excess + round;
  }
  return measure.count(shortest, measure.counter) <= max ? shortest : undefined;
}

function composed(text: string, room: number, { measure, sequence }: Cut): string {
  const head = measure.head(text, measure.counter, Math.floor(room * HEAD_SHARE));
  const rest = text.slice(head.length);
  const tail = measure.tail(rest, measure.counter, Math.floor(room * TAIL_SHARE));
  const middle = rest.slice(0, rest.length - tail.length);
  const shown = measure.count(head, measure.counter) + measure.count(tail, measure.counter);
  const facts = measure.facts(middle, measure.counter, room - shown);
  return [head, marker(codePoints(middle), sequence), facts, tail].filter((part) => part !== '').join('\n');
}
