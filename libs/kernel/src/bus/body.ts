import type { JsonValue } from '@palimpsest/contracts';
import { PayloadTooLargeError } from '../errors/known-errors.js';

/** A durable message carries its id in headers, which count to the limit: its body may be this much smaller. */
export const DURABLE_OVERHEAD_BYTES = 1024;

const utf8 = new TextEncoder();

/** The body as it travels: UTF-8 JSON. What JSON does not know becomes `null` or is left out, on every bus alike. */
export function encodeBody(body: JsonValue, limitBytes: number): Uint8Array {
  const bytes = utf8.encode(bodyText(body));
  if (bytes.length > limitBytes) throw new PayloadTooLargeError(bytes.length, limitBytes);
  return bytes;
}

/** The body as JSON text. A handler that returns nothing answers `null`. */
export function bodyText(body: JsonValue): string {
  return JSON.stringify(body) ?? 'null';
}
