import type { CountTokens } from '@palimpsest/kernel';
import { keyFactsOf, type Measure } from '@palimpsest/transcript';

/** A text of more characters a token is not looked at whole. */
const CHARS_PER_TOKEN = 8;
/** What is cut away beyond what seems too much, so that a second look is seldom needed. */
const CAUTION = 0.95;

/**
 * Measures in the tokens of most models. Counts are exact; a cut is never too long, and may be a little shorter than it
 * could be: the exact place takes far longer to find, and nobody misses it in a prompt.
 */
export function roughMeasure(count: CountTokens): Measure {
  return {
    counter: 'o200k_base',
    count,
    head: (text, counter, max) =>
      cutTo(
        max,
        cutter(text, beginning, (part) => count(part, counter)),
      ),
    tail: (text, counter, max) =>
      cutTo(
        max,
        cutter(text, ending, (part) => count(part, counter)),
      ),
    facts: (text, counter) => keyFactsOf(text, counter, count),
  };
}

type Cutter = {
  readonly length: number;
  readonly cut: (length: number) => string;
  readonly size: (part: string) => number;
};

function cutter(
  text: string,
  end: (text: string, length: number) => string,
  size: (part: string) => number,
): Cutter {
  return { length: text.length, cut: (length) => end(text, length), size };
}

function cutTo(max: number, text: Cutter): string {
  for (let length = Math.min(text.length, max * CHARS_PER_TOKEN); length > 0;) {
    const part = text.cut(length);
    const tokens = text.size(part);
    if (tokens <= max) return part;
    length = Math.floor(length * (max / tokens) * CAUTION);
  }
  return '';
}

/** Both without half a surrogate pair. */
function beginning(text: string, length: number): string {
  return isPairSplit(text, length) ? text.slice(0, length - 1) : text.slice(0, length);
}

function ending(text: string, length: number): string {
  const from = text.length - length;
  return isPairSplit(text, from) ? text.slice(from + 1) : text.slice(from);
}

function isPairSplit(text: string, at: number): boolean {
  return at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff;
}
