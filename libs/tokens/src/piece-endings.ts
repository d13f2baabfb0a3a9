import { classAt, NEWLINE, NUMBER, widthAt } from './character-classes.js';

/** Given a text and where a piece starts, where the piece ends. */
export type PieceEnd = (text: string, start: number) => number;

const APOSTROPHE = 0x27;
const LETTER_D = 0x64;
const LETTER_E = 0x65;
const LETTER_L = 0x6c;
const LETTER_M = 0x6d;
const LETTER_R = 0x72;
const LETTER_S = 0x73;
const LETTER_T = 0x74;
const LETTER_V = 0x76;
const LONG_S = 0x17f;

/**
 * The end of `'s|'t|'re|'ve|'m|'ll|'d` at `at`, in any case, or `at`. The reference folds case by Unicode, so the
 * long s (U+017F) counts as an s.
 */
export function endOfContraction(text: string, at: number): number {
  if (text.charCodeAt(at) !== APOSTROPHE) return at;
  switch (lowerCase(text.charCodeAt(at + 1))) {
    case LETTER_S:
    case LETTER_T:
    case LETTER_M:
    case LETTER_D:
    case LONG_S:
      return at + 2;
    case LETTER_R:
    case LETTER_V:
      return lowerCase(text.charCodeAt(at + 2)) === LETTER_E ? at + 3 : at;
    case LETTER_L:
      return lowerCase(text.charCodeAt(at + 2)) === LETTER_L ? at + 3 : at;
    default:
      return at;
  }
}

function lowerCase(unit: number): number {
  return unit >= 0x41 && unit <= 0x5a ? unit + 0x20 : unit;
}

/** `\p{N}{1,3}` at a number. */
export function endOfNumber(text: string, start: number): number {
  let at = start + widthAt(text, start);
  for (let taken = 1; taken < 3 && (classAt(text, at) & NUMBER) !== 0; taken += 1) at += widthAt(text, at);
  return at;
}

/** The end of the last line break between `start` and `runEnd`, or `start`. */
export function endOfLastLine(text: string, start: number, runEnd: number): number {
  let at = runEnd;
  while (at > start && (classAt(text, at - 1) & NEWLINE) === 0) at -= 1;
  return at;
}

/** `\s+(?!\S)|\s+`: the last white space before a text goes with that text. */
export function endBeforeLastSpace(text: string, start: number, runEnd: number): number {
  return runEnd === text.length || runEnd === start + 1 ? runEnd : runEnd - 1;
}
