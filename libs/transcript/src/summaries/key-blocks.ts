import { KEY_BLOCK, KEY_BLOCK_END } from './secret-marks.js';

/** The longest body of a key block whose end is missing or far. */
const LONGEST_BODY = 16 * 1024;
const BODY = /[A-Za-z0-9+/=\s\\:,.-]*/y;

/** Replaces every private key block, body and end included. Linear: the next end is looked for once. */
export function replaceKeyBlocks(text: string, replacement: (block: string) => string): string {
  if (!/-----BEGIN/i.test(text)) return text;
  const parts: string[] = [];
  let from = 0;
  let ending = { start: -1, end: -1 };
  for (const match of text.matchAll(KEY_BLOCK)) {
    if (match.index < from) continue;
    const body = match.index + match[0].length;
    if (ending.start < body && ending.end !== Infinity) ending = nextEnd(text, body);
    const stop =
      ending.start >= body && ending.start - body <= LONGEST_BODY ? ending.end : bodyEnd(text, body);
    parts.push(text.slice(from, match.index), replacement(text.slice(match.index, stop)));
    from = stop;
  }
  return parts.join('') + text.slice(from);
}

function nextEnd(text: string, from: number): { start: number; end: number } {
  KEY_BLOCK_END.lastIndex = from;
  const match = KEY_BLOCK_END.exec(text);
  return match ? { start: match.index, end: match.index + match[0].length } : { start: -1, end: Infinity };
}

function bodyEnd(text: string, from: number): number {
  BODY.lastIndex = 0;
  const body = BODY.exec(text.slice(from, from + LONGEST_BODY))?.[0] ?? '';
  // a body ends where lines of plain words begin
  const blank = /\s[A-Za-z]+\s[A-Za-z]+\s/.exec(body);
  return from + (blank ? blank.index : body.length);
}
