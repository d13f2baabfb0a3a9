import type { JsonValue } from '@palimpsest/contracts';
import { TerminalError, ValidationError } from '@palimpsest/kernel';

/** Deeper bodies are refused: nothing of ours needs them, and later readers recurse. */
const MAX_DEPTH = 64;

/** More values than this are refused: checking each would keep other requests waiting. */
const MAX_VALUES = 200_000;

/**
 * Parses JSON text that survives the journey: integers beyond ±(2^53 − 1), −0 and literals that overflow or vanish
 * would come out as other numbers, and a member `__proto__` would be lost; they are refused.
 * @throws ValidationError, without a word of the text
 */
export function parseStrictJson(text: string): JsonValue {
  const value = parse(text);
  scan(text);
  return value;
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    const position = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    throw new ValidationError(
      position === undefined
        ? 'The body is not valid JSON.'
        : `The body is not valid JSON at position ${position}.`,
      position === undefined ? {} : { position: Number(position) },
    );
  }
}

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** The text is known to be well-formed, so a quote outside a string begins one. */
function scan(text: string): void {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charCodeAt(at);
    if (letter === 0x22) at = endOfMember(text, at);
    else if (letter === 0x7b || letter === 0x5b) depth = deeper(depth);
    else if (letter === 0x7d || letter === 0x5d) depth -= 1;
    else if (letter === 0x2c) values = more(values);
    else if (letter === 0x2d || (letter >= 0x30 && letter <= 0x39)) at = endOfNumber(text, at);
  }
}

function deeper(depth: number): number {
  if (depth >= MAX_DEPTH)
    throw new ValidationError(`The body may be nested ${MAX_DEPTH} levels deep at most.`);
  return depth + 1;
}

function more(values: number): number {
  if (values >= MAX_VALUES) {
    throw new TerminalError('payload_too_large', `The body holds more than ${MAX_VALUES} values.`);
  }
  return values + 1;
}

/**
 * The key `__proto__` is dropped by every reader that copies an object member by member: taken, it would be lost
 * without a word.
 */
function endOfMember(text: string, start: number): number {
  const end = endOfString(text, start);
  if (end - start >= PROTO.length - 1 && isKey(text, end) && isProto(text.slice(start, end + 1))) {
    throw new ValidationError('The key __proto__ is not taken.', { position: start });
  }
  return end;
}

const PROTO = '"__proto__"';

function isProto(literal: string): boolean {
  return literal === PROTO || (literal.includes('\\u00') && JSON.parse(literal) === '__proto__');
}

const BEFORE_VALUE = /\s*:/y;

function isKey(text: string, endOfLiteral: number): boolean {
  BEFORE_VALUE.lastIndex = endOfLiteral + 1;
  return BEFORE_VALUE.test(text);
}

function endOfString(text: string, start: number): number {
  let end = start;
  do end = text.indexOf('"', end + 1);
  while (isEscaped(text, end));
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

function endOfNumber(text: string, start: number): number {
  NUMBER.lastIndex = start;
  const literal = NUMBER.exec(text)?.[0] ?? '';
  if (!isExact(literal)) {
    throw new ValidationError(
      'A number in the body cannot be kept exactly (beyond 2^53, negative zero, overflow or underflow); send it as a string.',
      { position: start },
    );
  }
  return start + literal.length - 1;
}

function isExact(literal: string): boolean {
  const value = Number(literal);
  if (Object.is(value, -0) || !Number.isFinite(value)) return false;
  if (value === 0) return !/[1-9]/.test(literal.split(/[eE]/)[0] ?? '');
  return !Number.isInteger(value) || Number.isSafeInteger(value);
}
