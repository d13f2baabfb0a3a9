import { isStorableJson, type JsonValue } from '@palimpsest/contracts';

/** Wrapped, as `null` is JSON too. */
export type FoundJson = { readonly value: JsonValue };

const FENCE = /```[a-z]*[ \t]*\r?\n([\s\S]*?)\n?[ \t]*```/gi;
const THOUGHTS = /^\s*<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/i;

/**
 * The JSON in a model's text: the whole of it, what stands in a code fence, or the first object or list in a sentence.
 * `wholeOnly`: of a text that was cut off, a part that happens to be complete is not the answer.
 */
export function extractJson(text: string, { wholeOnly = false } = {}): FoundJson | undefined {
  const plain = text.replace(/^\uFEFF/, '').replace(THOUGHTS, '');
  const whole = parse(plain);
  if (whole || wholeOnly) return whole;
  for (const [, inside = ''] of plain.matchAll(FENCE)) {
    const fenced = parse(inside);
    if (fenced) return fenced;
  }
  for (const part of balancedParts(plain)) {
    const found = parse(part);
    if (found) return found;
  }
  return undefined;
}

/** What no store keeps, be it text or a number beyond all bounds, is no JSON here. */
function parse(text: string): FoundJson | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isStorableJson(value) && isBounded(value) ? { value } : undefined;
  } catch {
    return undefined;
  }
}

function isBounded(value: JsonValue): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(isBounded);
}

/** What stands between outermost brackets, found in one pass; brackets in strings do not count. */
function* balancedParts(text: string): Generator<string> {
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"' && depth > 0) at = endOfString(text, at);
    else if (sign === '{' || sign === '[') {
      if (depth === 0) start = at;
      depth += 1;
    } else if ((sign === '}' || sign === ']') && depth > 0) {
      depth -= 1;
      if (depth === 0) yield text.slice(start, at + 1);
    }
  }
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}
