import { classAt, NEWLINE, NUMBER, widthAt } from './character-classes.js';

/** Given a text and where a piece starts, where the piece ends. */
export type PieceEnd = (text: string, start: number) => number;

const APOSTROPHE = 0x27;
const LONG_S = 0x17f;

/**
 * The end of `'s|'t|'re|'ve|'m|'ll|'d` at `at`, in any case, or `at`. The reference folds case by Unicode, so the
 * long s (U+017F) counts as an s.
 */
export function endOfContraction(text: string, at: number): number {
  if (text.charCodeAt(at) !== APOSTROPHE) return at;
  const first = text.charCodeAt(at + 1);
  switch (first === LONG_S ? 's' : String.fromCharCode(first | 0x20)) {
    case 's':
    case 't':
    case 'm':
    case 'd':
      return at + 2;
    case 'r':
    case 'v':
      return (text.charCodeAt(at + 2) | 0x20) === 0x65 ? at + 3 : at;
    case 'l':
      return (text.charCodeAt(at + 2) | 0x20) === 0x6c ? at + 3 : at;
    default:
      return at;
  }
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
