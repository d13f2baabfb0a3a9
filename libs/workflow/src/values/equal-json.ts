import type { JsonObject, JsonValue } from '@palimpsest/contracts';

/** Equal as JSON: the order of an object's keys is of no account. */
export function isEqualJson(left: JsonValue, right: JsonValue): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) return isEqualList(left, right);
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => {
    const [one, other] = [(left as JsonObject)[key], (right as JsonObject)[key]];
    return one !== undefined && other !== undefined && Object.hasOwn(right, key) && isEqualJson(one, other);
  });
}

function isEqualList(left: JsonValue, right: JsonValue): boolean {
  if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
  return left.every((item: JsonValue, place) => isEqualJson(item, right[place] as JsonValue));
}
