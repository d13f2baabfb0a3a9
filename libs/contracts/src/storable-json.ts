import { z } from 'zod';
import type { JsonObject, JsonValue } from './json.js';

/** No NUL and no lone surrogate: neither is JSON text that every store keeps. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}

/** True where every string and every key, at any depth, is storable. */
export function isStorableJson(value: JsonValue): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isStorableJson);
  return Object.entries(value).every(([key, inner]) => isStorableText(key) && isStorableJson(inner));
}

const UNSTORABLE = 'must be well-formed Unicode without NUL';

export const storableTextSchema = z.string().refine(isStorableText, UNSTORABLE);

export const storableJsonObjectSchema = z.record(z.string(), z.json()).refine(isStorableJson, UNSTORABLE);

/**
 * An object that arrives from a service of ours, as parsed from JSON. It is taken as it is: walking every
 * payload of a page of 500 events again would cost more than reading it.
 */
export const trustedJsonObjectSchema = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
);
