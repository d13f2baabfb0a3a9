import type { JsonObject, JsonValue } from '@palimpsest/contracts';
import { REDACTED, redactSecrets } from './redact.js';

/**
 * A JSON value without secrets in its strings, at any depth (host specification §11.1, SR-1): nothing else is recorded of
 * what callers and definitions say. A string whose key gives it away, like that of `apiKey`, is replaced whole.
 */
export function redactJson<Value extends JsonValue>(value: Value): Value {
  return redacted(value) as Value;
}

function redacted(value: JsonValue): JsonValue {
  if (typeof value === 'string') return redactSecrets(value);
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? value.map(redacted) : redactedObject(value as JsonObject);
}

function redactedObject(value: JsonObject): JsonObject {
  // Own members by definition, not by assignment: a key may be `__proto__`.
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [redactSecrets(key), redactedMember(key, member)]),
  );
}

/** A text of a limited length, which stays within it: what stands for a secret may be longer than the secret. */
export function redactText(text: string, maxLength: number): string {
  return redactSecrets(text).slice(0, maxLength).toWellFormed();
}

function redactedMember(key: string, value: JsonValue): JsonValue {
  const without = redacted(value);
  if (typeof value !== 'string' || without !== value) return without;
  const said = `${key}=${value}`;
  return redactSecrets(key) === key && redactSecrets(said) !== said ? REDACTED : value;
}
