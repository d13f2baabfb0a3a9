import type { JsonValue } from '@palimpsest/contracts';
import { ValidationError } from './errors/known-errors.js';

/** Deeper values are refused: no content of ours needs them, and they would exhaust the stack of a reader. */
const MAX_DEPTH = 64;

/**
 * RFC 8785 text of a value: equal values give equal bytes, whatever the order of their keys. What JSON cannot
 * say exactly (a lone surrogate, an infinite number, a function) is a `ValidationError`; −0 is written as 0,
 * a member that is `undefined` is left out.
 */
export function canonicalJson(value: JsonValue): string {
  return write(value, 0);
}

function write(value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) throw new ValidationError(`Content may be nested ${MAX_DEPTH} levels deep at most.`);
  if (typeof value === 'string') return writeString(value);
  if (typeof value === 'number') return writeNumber(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `[${Array.from(value, (item) => write(item, depth + 1)).join(',')}]`;
  if (typeof value === 'object') return writeObject(value, depth);
  throw new ValidationError(`Content must be JSON: ${typeof value} is not.`);
}

function writeString(text: string): string {
  if (!text.isWellFormed()) throw new ValidationError('Content must be well-formed Unicode.');
  return JSON.stringify(text);
}

function writeNumber(value: number): string {
  if (!Number.isFinite(value)) throw new ValidationError('Content must hold finite numbers only.');
  return JSON.stringify(value);
}

/** `sort()` compares UTF-16 units, which is the order RFC 8785 asks for. */
function writeObject(value: object, depth: number): string {
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${members.map(([key, member]) => `${writeString(key)}:${write(member, depth + 1)}`).join(',')}}`;
}
