import type { JsonObject, JsonValue } from '@palimpsest/contracts';
import { isEqualJson } from '../values/equal-json.js';
import { memberOf } from '../values/scope.js';
import { CorrelationMismatchError, invalidAnswer } from './interrupt-errors.js';
import { isJsonObject } from './json-object.js';

/**
 * An event holds the awaited correlation among its members, or in a member `correlation`; a type that it names must be
 * the awaited one. @throws CorrelationMismatchError, ValidationError
 */
export function checkExternalEvent(nodeId: string, data: JsonObject, value: JsonValue): void {
  if (!isJsonObject(value)) throw invalidAnswer('An event is an object.');
  const awaited = (memberOf(data, 'correlation') ?? {}) as JsonObject;
  const eventType = memberOf(value, 'eventType');
  if (eventType !== undefined && eventType !== data['eventType'] && !Object.hasOwn(awaited, 'eventType')) {
    throw new CorrelationMismatchError(nodeId, 'resumeValue.eventType');
  }
  const given = correlationOf(value, awaited);
  for (const [key, expected] of Object.entries(awaited)) {
    const actual = memberOf(given, key);
    if (actual === undefined || !isEqualJson(actual, expected)) {
      throw new CorrelationMismatchError(nodeId, `resumeValue.${key}`);
    }
  }
}

function correlationOf(value: JsonObject, awaited: JsonObject): JsonObject {
  const nested = memberOf(value, 'correlation');
  return isJsonObject(nested) && !Object.hasOwn(awaited, 'correlation') ? nested : value;
}
