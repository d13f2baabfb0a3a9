import { isFacts, type Facts } from '../json/facts.js';
import { refuse } from './context-refusal.js';

export const MAX_REQUEST_BYTES = 1_048_576;

/**
 * All bytes of a request (contract §1). Counted as they arrive: the byte after the last that is allowed is refused
 * at once, though the sender may hold the pipe open and have more to send.
 */
export async function collectRequest(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const kept: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > MAX_REQUEST_BYTES) return refuse('REQUEST_TOO_LARGE');
    kept.push(chunk);
  }
  return joined(kept, length);
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let place = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, place);
    place += chunk.length;
  }
  return bytes;
}

/**
 * Exactly one JSON object in UTF-8; a byte order mark is no white space. Decoded whole, as a letter may straddle two
 * chunks. Of equal keys the last counts, and `__proto__` is an ordinary one.
 */
export function parseRequest(bytes: Uint8Array): Facts {
  const request = jsonOf(bytes);
  return isFacts(request) ? request : refuse('INVALID_REQUEST');
}

/** Without the parser's own words: they quote the request. */
function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return refuse('INVALID_REQUEST');
  }
}
