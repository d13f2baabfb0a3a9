import type { TokenCounterName } from '@palimpsest/contracts';
import type { CountTokens } from '@palimpsest/kernel';

/** Exact measuring and trimming in one unit; trimming never splits a code point. */
export type Measure = {
  readonly counter: TokenCounterName;
  readonly count: CountTokens;
  /** Longest beginning of `text` that counts at most `max`. */
  readonly head: (text: string, counter: TokenCounterName, max: number) => string;
  /** Longest end of `text` that counts at most `max`. */
  readonly tail: (text: string, counter: TokenCounterName, max: number) => string;
  /** Reads a long text once. Gives back what makes a short line of what it holds, within `max`; empty where nothing fits. */
  readonly facts: (text: string, counter: TokenCounterName) => (max: number) => string;
};

export function codePoints(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0xdc00 || unit > 0xdfff) count += 1;
  }
  return count;
}

/** The exact count where it is at most `max`, else `max + 1`; looks at no more text than `max` can hold. */
export function boundedCount(text: string, max: number, measure: Measure): number {
  if (measure.head(text, measure.counter, max).length < text.length) return max + 1;
  return measure.count(text, measure.counter);
}
