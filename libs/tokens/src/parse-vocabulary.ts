import { TerminalError } from '@palimpsest/kernel';
import { Vocabulary } from './vocabulary.js';

const SPACE = 0x20;
const LINE_FEED = 0x0a;
const PADDING = 0x3d;
const ZERO = 0x30;

const SIX_BITS = new Uint8Array(0x100);
for (const [value, letter] of [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
].entries())
  SIX_BITS[letter.charCodeAt(0)] = value;

/** Reads the reference's own format: a line per token, its bytes in base64, a space, its rank (dense from 0). */
export function parseVocabulary(file: Uint8Array): Vocabulary {
  const bytes = new Uint8Array(file.length);
  const starts: number[] = [0];
  let length = 0;
  for (let at = 0; at < file.length;) {
    const space = file.indexOf(SPACE, at);
    length = decodeBase64(file.subarray(at, space), bytes, length);
    at = space + 1;
    let rank = 0;
    for (; file[at] !== LINE_FEED && at < file.length; at += 1) rank = rank * 10 + file[at]! - ZERO;
    at += 1;
    if (rank !== starts.length - 1)
      throw new TerminalError('internal_error', 'The rank table of an encoding is damaged.');
    starts.push(length);
  }
  return new Vocabulary(bytes.slice(0, length), Int32Array.from(starts));
}

/** Writes the decoded bytes at `start`; answers where they end. */
function decodeBase64(source: Uint8Array, target: Uint8Array, start: number): number {
  let length = start;
  let pending = 0;
  let bits = 0;
  for (const letter of source) {
    if (letter === PADDING) break;
    pending = ((pending << 6) | SIX_BITS[letter]!) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    target[length] = pending >> bits;
    length += 1;
  }
  return length;
}
