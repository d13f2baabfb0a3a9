import {
  classAt,
  endOfRun,
  LETTER,
  NEWLINE,
  NUMBER,
  SPACE,
  SYMBOL,
  WHITE_SPACE,
  widthAt,
} from './character-classes.js';
import { endBeforeLastSpace, endOfContraction, endOfLastLine, endOfNumber } from './piece-endings.js';

/**
 * The reference pattern of cl100k_base, by hand and in linear time; each line below is one of its alternatives:
 * `'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s`
 */
export function endOfCl100kPiece(text: string, start: number): number {
  const contraction = endOfContraction(text, start);
  if (contraction > start) return contraction;
  const kind = classAt(text, start);
  if ((kind & LETTER) !== 0) return endOfRun(text, start, LETTER);
  if ((kind & NUMBER) !== 0) return endOfNumber(text, start);
  const next = start + widthAt(text, start);
  if ((kind & NEWLINE) === 0) {
    const wordEnd = endOfRun(text, next, LETTER);
    if (wordEnd > next) return wordEnd;
  }
  if ((kind & WHITE_SPACE) === 0) return endOfSymbols(text, start);
  if ((kind & SPACE) !== 0 && text[start] === ' ' && (classAt(text, next) & SYMBOL) !== 0)
    return endOfSymbols(text, next);
  const runEnd = endOfRun(text, start, WHITE_SPACE);
  if (runEnd === text.length) return runEnd;
  const lastLineEnd = endOfLastLine(text, start, runEnd);
  return lastLineEnd > start ? lastLineEnd : endBeforeLastSpace(text, start, runEnd);
}

function endOfSymbols(text: string, start: number): number {
  return endOfRun(text, endOfRun(text, start, SYMBOL), NEWLINE);
}
