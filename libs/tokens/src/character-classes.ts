import { UNICODE_CLASS_RUNS } from './unicode-class-runs.js';

/** The classes the reference patterns distinguish, one bit each, so that a set of classes is a mask. */
export const UPPER = 1; // Lu, Lt
export const LOWER = 2; // Ll
export const CASELESS = 4; // Lm, Lo
export const MARK = 8; // M
export const NUMBER = 16; // N
export const SPACE = 32; // White_Space without CR and LF
export const NEWLINE = 64; // CR, LF
export const OTHER = 128;

export const LETTER = UPPER | LOWER | CASELESS;
export const WHITE_SPACE = SPACE | NEWLINE;
/** `[^\s\p{L}\p{N}]` */
export const SYMBOL = MARK | OTHER;

const CLASS_OF_LETTER: Readonly<Record<string, number>> = {
  U: UPPER,
  L: LOWER,
  C: CASELESS,
  M: MARK,
  N: NUMBER,
  S: SPACE,
  O: OTHER,
};

const CLASSES = readClasses();

function readClasses(): Uint8Array {
  const classes = new Uint8Array(0x110000).fill(OTHER);
  let at = 0;
  for (const [, length, letter] of UNICODE_CLASS_RUNS.matchAll(/([0-9a-z]+)([A-Z])/g)) {
    const end = at + Number.parseInt(length!, 36);
    classes.fill(CLASS_OF_LETTER[letter!]!, at, end);
    at = end;
  }
  classes[0x0a] = NEWLINE;
  classes[0x0d] = NEWLINE;
  return classes;
}

export function classOf(codePoint: number): number {
  return CLASSES[codePoint]!;
}

/** The class of the code point at `at`; 0 past the end, which belongs to no mask. */
export function classAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit < 0xd800 || unit > 0xdfff) return CLASSES[unit]!;
  return at < text.length ? CLASSES[text.codePointAt(at)!]! : 0;
}

/** UTF-16 units of the code point at `at`. */
export function widthAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit < 0xdc00 && text.codePointAt(at)! > 0xffff ? 2 : 1;
}

/** Where the run of code points of the classes in `mask` that starts at `start` ends. */
export function endOfRun(text: string, start: number, mask: number): number {
  let at = start;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (unit < 0xd800 || unit > 0xdfff) {
      if ((CLASSES[unit]! & mask) === 0) return at;
      at += 1;
    } else {
      const point = text.codePointAt(at)!;
      if ((CLASSES[point]! & mask) === 0) return at;
      at += point > 0xffff ? 2 : 1;
    }
  }
  return at;
}
