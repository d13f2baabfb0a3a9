import type { JsonObject, JsonValue } from '@palimpsest/contracts';
import canonicalizeModule from 'canonicalize';
import { ValidationError } from './errors/known-errors.js';

/** Deeper values are refused: no content of ours needs them, and they would exhaust the stack of a reader. */
const MAX_DEPTH = 64;

/** The package is CommonJS: its default export is the function, which its declaration does not say to ES modules. */
const canonicalize = canonicalizeModule as unknown as (value: unknown) => string;

/**
 * RFC 8785 text of a value: equal values give equal bytes, whatever the order of their keys. What JSON cannot
 * say exactly (a lone surrogate, an infinite number, a function) is a `ValidationError`; −0 is written as 0,
 * a member that is `undefined` is left out.
 */
export function canonicalJson(value: JsonValue): string {
  check(value, 0);
  return canonicalize(value);
}

/** RFC 8785 text of what was stored as JSON, or is about to be: it passed the store's own rules, of whatever depth. */
export function canonicalStored(value: JsonValue): string {
  try {
    return textOf(value) ?? 'null';
  } catch {
    throw new ValidationError('A value is not JSON, or is nested too deep.');
  }
}

/** As `JSON.stringify` has it, but for the order of keys; a number or a string is written alike in both. */
function textOf(value: JsonValue | undefined): string | undefined {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => textOf(item) ?? 'null').join(',')}]`;
  let members = '';
  for (const key of Object.keys(value).sort()) {
    const member = textOf((value as JsonObject)[key]);
    if (member !== undefined) members += `${members && ','}${JSON.stringify(key)}:${member}`;
  }
  return `{${members}}`;
}

function check(value: unknown, depth: number): void {
  if (depth > MAX_DEPTH) throw new ValidationError(`Content may be nested ${MAX_DEPTH} levels deep at most.`);
  if (typeof value === 'string') return checkString(value);
  if (typeof value === 'number') return checkNumber(value);
  if (value === null || typeof value === 'boolean') return;
  if (typeof value !== 'object') throw new ValidationError(`Content must be JSON: ${typeof value} is not.`);
  if (Array.isArray(value)) return Array.from(value).forEach((item) => check(item, depth + 1));
  for (const [key, member] of Object.entries(value)) {
    checkString(key);
    if (member !== undefined) check(member, depth + 1);
  }
}

function checkString(text: string): void {
  if (!text.isWellFormed()) throw new ValidationError('Content must be well-formed Unicode.');
}

function checkNumber(value: number): void {
  if (!Number.isFinite(value)) throw new ValidationError('Content must hold finite numbers only.');
}
