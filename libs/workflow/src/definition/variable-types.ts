import type { JsonValue, WorkflowVariable } from '@palimpsest/contracts';
import { isJsonObject } from '../interrupts/json-object.js';

export function isOfType(type: WorkflowVariable['type'], value: JsonValue): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    default:
      return type satisfies never;
  }
}
