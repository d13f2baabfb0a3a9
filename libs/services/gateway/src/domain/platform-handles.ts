import type { JsonValue } from '@palimpsest/contracts';

const HANDLE = 'platform_handle';

/** The same, with null for every platform's handle at any depth: no provider's session id goes further than this. */
export function withoutHandles<Value>(value: Value): Value {
  return cleared(value as JsonValue) as Value;
}

function cleared(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => cleared(item));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [
    key,
    key === HANDLE ? null : cleared(member),
  ]);
  return Object.fromEntries(members) as JsonValue;
}
