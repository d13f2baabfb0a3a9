import type { JsonObject, JsonValue } from '@palimpsest/contracts';

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
