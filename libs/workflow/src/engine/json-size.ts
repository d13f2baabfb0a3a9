import type { JsonValue } from '@palimpsest/contracts';

const utf8 = new TextEncoder();

/** Bytes of a value's JSON text. */
export function jsonBytes(value: JsonValue): number {
  return utf8.encode(JSON.stringify(value)).length;
}
