import type { z } from 'zod';
import { redactSecrets } from '@palimpsest/transcript';

/** A JSON value as a request's schema gives it. */
export type SentJson = z.core.util.JSONType;

export type SentObject = Record<string, SentJson>;

const REDACTED = redactSecrets('password=redacted-by-name');

/**
 * What a caller sends, without secrets in its strings, at any depth (host specification §11.1, SR-1): nothing else is
 * recorded. A string whose key gives it away, like that of `apiKey`, is replaced whole.
 */
export function redactJson(value: SentJson): SentJson {
  if (typeof value === 'string') return redactSecrets(value);
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? value.map(redactJson) : redactObject(value);
}

export function redactObject(value: SentObject): SentObject {
  // Own members by definition, not by assignment: a key may be `__proto__`.
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [redactSecrets(key), redactMember(key, member)]),
  );
}

/** A text of a limited length, which stays within it: what stands for a secret may be longer than the secret. */
export function redactText(text: string, maxLength: number): string {
  return redactSecrets(text).slice(0, maxLength).toWellFormed();
}

function redactMember(key: string, value: SentJson): SentJson {
  const redacted = redactJson(value);
  if (typeof value !== 'string' || redacted !== value) return redacted;
  const said = `${key}=${value}`;
  return redactSecrets(key) === key && redactSecrets(said) !== said ? REDACTED : value;
}
