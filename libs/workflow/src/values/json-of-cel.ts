import { isStorableText, type JsonObject, type JsonValue } from '@palimpsest/contracts';
import { evaluated, NOT_EVALUATED, type Evaluated } from './evaluated.js';

/** A value of an expression holds this many parts and levels at most, as one list may stand in it many times. */
const MOST_PARTS = 20_000;
const MOST_LEVELS = 32;
const MOST_TEXT = 64 * 1024;

/**
 * What CEL gives as JSON. An integer becomes a number, or is refused where a number could not hold it; bytes, times,
 * types and optional values are refused, as are infinite numbers.
 */
export function jsonOfCel(value: unknown): Evaluated<JsonValue> {
  const budget = { parts: MOST_PARTS, text: MOST_TEXT };
  const json = convert(value, budget, 0);
  return json === undefined ? NOT_EVALUATED : evaluated(json);
}

type Budget = { parts: number; text: number };

function convert(value: unknown, budget: Budget, level: number): JsonValue | undefined {
  budget.parts -= 1;
  if (budget.parts < 0 || level > MOST_LEVELS) return undefined;
  switch (typeof value) {
    case 'bigint':
      return safeNumber(value);
    case 'number':
      return Number.isFinite(value) ? value : undefined;
    case 'boolean':
      return value;
    case 'string':
      return textWithin(value, budget);
    case 'object':
      return value === null ? null : convertObject(value, budget, level + 1);
    default:
      return undefined;
  }
}

function safeNumber(value: bigint): number | undefined {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

function textWithin(text: string, budget: Budget): string | undefined {
  budget.text -= text.length;
  return budget.text >= 0 && isStorableText(text) ? text : undefined;
}

function convertObject(value: object, budget: Budget, level: number): JsonValue | undefined {
  if (Array.isArray(value)) return convertList(value, budget, level);
  if (value instanceof Map) return convertEntries([...(value as Map<unknown, unknown>)], budget, level);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) {
    return convertEntries(Object.entries(value), budget, level);
  }
  return unsignedValue(value);
}

/** `UnsignedInt`, which the library does not export: `2u`. */
function unsignedValue(value: object): number | undefined {
  const inner: unknown = value.valueOf();
  return typeof inner === 'bigint' ? safeNumber(inner) : undefined;
}

function convertList(list: readonly unknown[], budget: Budget, level: number): JsonValue | undefined {
  const items: JsonValue[] = [];
  for (const item of list) {
    const json = convert(item, budget, level);
    if (json === undefined) return undefined;
    items.push(json);
  }
  return items;
}

function convertEntries(
  entries: readonly (readonly [unknown, unknown])[],
  budget: Budget,
  level: number,
): JsonObject | undefined {
  const members: [string, JsonValue][] = [];
  for (const [key, member] of entries) {
    const json = convert(member, budget, level);
    if (typeof key !== 'string' || textWithin(key, budget) === undefined || json === undefined) {
      return undefined;
    }
    members.push([key, json]);
  }
  return Object.fromEntries(members);
}
