import {
  CASELESS,
  classAt,
  endOfRun,
  LETTER,
  LOWER,
  MARK,
  NEWLINE,
  NUMBER,
  SYMBOL,
  UPPER,
  WHITE_SPACE,
  widthAt,
} from './character-classes.js';
import { endBeforeLastSpace, endOfContraction, endOfLastLine, endOfNumber } from './piece-endings.js';

/** `[\p{Lm}\p{Lo}\p{M}]`: what the pattern takes both as upper and as lower case. */
const EITHER_CASE = CASELESS | MARK;
const UPPER_RUN = UPPER | EITHER_CASE;
const LOWER_RUN = LOWER | EITHER_CASE;
const SLASH = 0x2f;

/**
 * The reference pattern of o200k_base, by hand and in linear time (X = `[^\r\n\p{L}\p{N}]?`, U and L the two sets
 * above, C the contraction): `X U*L+ C?|X U+L* C?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`
 */
export function endOfO200kPiece(text: string, start: number): number {
  const kind = classAt(text, start);
  // A mark may be the X of a word or its first letter: both readings end alike, except before upper case only,
  // where the reference backtracks to the mark alone. Reading it as a letter gives that too.
  if ((kind & (LETTER | MARK)) !== 0) return endOfContraction(text, endOfWord(text, start));
  if ((kind & NUMBER) !== 0) return endOfNumber(text, start);
  const next = start + widthAt(text, start);
  if ((kind & NEWLINE) === 0) {
    const wordEnd = endOfWord(text, next);
    if (wordEnd > next) return endOfContraction(text, wordEnd);
  }
  if ((kind & WHITE_SPACE) === 0) return endOfSymbols(text, start);
  if (text[start] === ' ' && (classAt(text, next) & SYMBOL) !== 0) return endOfSymbols(text, next);
  const runEnd = endOfRun(text, start, WHITE_SPACE);
  const lastLineEnd = endOfLastLine(text, start, runEnd);
  return lastLineEnd > start ? lastLineEnd : endBeforeLastSpace(text, start, runEnd);
}

/**
 * `U*L+|U+L*` at `start`, or `start`. U* takes all it can; without a lower case letter behind, L+ needs one code
 * point back, and the last of either case is where backtracking stops; without such a one, U+ stands alone.
 */
function endOfWord(text: string, start: number): number {
  let at = start;
  let afterEitherCase = start;
  for (let kind = classAt(text, at); (kind & UPPER_RUN) !== 0; kind = classAt(text, at)) {
    at += widthAt(text, at);
    if ((kind & EITHER_CASE) !== 0) afterEitherCase = at;
  }
  if ((classAt(text, at) & LOWER) !== 0) return endOfRun(text, at, LOWER_RUN);
  return afterEitherCase > start ? afterEitherCase : at;
}

function endOfSymbols(text: string, start: number): number {
  let at = endOfRun(text, start, SYMBOL);
  while ((classAt(text, at) & NEWLINE) !== 0 || text.charCodeAt(at) === SLASH) at += 1;
  return at;
}
