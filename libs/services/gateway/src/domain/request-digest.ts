import type { JsonValue } from '@palimpsest/contracts';

/**
 * The same text for equal bodies, whatever the order of their keys. Unlike canonical JSON it takes lone
 * surrogates (message text may hold them): `JSON.stringify` writes them as escapes.
 */
export function canonicalBody(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => canonicalBody(item)).join(',')}]`;
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalBody(member)}`).join(',')}}`;
}
