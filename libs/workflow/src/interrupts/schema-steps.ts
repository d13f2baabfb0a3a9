import type { JsonObject, JsonValue } from '@palimpsest/contracts';
import { isJsonObject } from './json-object.js';

/** Stands in every schema within a schema: how many steps it takes to look at one value with it. */
export const STEPS = 'palimpsest-steps';

const HOLDS_SCHEMAS: readonly string[] = [
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  '$defs',
  'definitions',
];
const HOLDS_VALUES: readonly string[] = [
  'const',
  'enum',
  'default',
  'examples',
  'required',
  'type',
  'dependentRequired',
];
const REFERENCES: readonly string[] = ['$ref', '$dynamicRef', '$recursiveRef'];

/** The schema with its steps written into it; undefined where a reference leads to what is no schema. */
export function withSteps(schema: JsonObject): JsonObject | undefined {
  const counted = countedSchema(schema);
  const { pointers, resources } = referencesIn(counted);
  const isSound = (pointer: string) =>
    [counted, ...resources].every((resource) => isCounted(targetOf(resource, pointer)));
  return pointers.every(isSound) ? counted : undefined;
}

function countedSchema(schema: JsonObject): JsonObject {
  const members = Object.entries(schema).map(([word, value]) => [word, countedMember(word, value)] as const);
  return { ...Object.fromEntries(members), [STEPS]: stepsOf(schema) };
}

function countedMember(word: string, value: JsonValue): JsonValue {
  if (HOLDS_VALUES.includes(word)) return value;
  if (HOLDS_SCHEMAS.includes(word) && isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, countedPart(each)]));
  }
  return countedPart(value);
}

/** Words that no dialect knows hold schemas, too, as far as a reference is concerned. */
function countedPart(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((part: JsonValue) => countedPart(part));
  return isJsonObject(value) ? countedSchema(value) : value;
}

function stepsOf(schema: JsonObject): number {
  const lists = ['enum', 'required', 'properties', 'patternProperties'].map((word) => schema[word]);
  const lengths = lists.map((list) =>
    typeof list === 'object' && list !== null ? Object.keys(list).length : 0,
  );
  return lengths.reduce((sum, length) => sum + length, 1);
}

type References = { readonly pointers: readonly string[]; readonly resources: readonly JsonObject[] };

/** JSON Pointers that something refers to, and the schemas with an id of their own: a pointer may begin at each. */
function referencesIn(schema: JsonValue): References {
  const pointers: string[] = [];
  const resources: JsonObject[] = [];
  const open: JsonValue[] = [schema];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    open.push(...Object.values<JsonValue>(next));
    if (Array.isArray(next)) continue;
    if ('$id' in next && next !== schema) resources.push(next);
    const named = REFERENCES.map((word) => (next as JsonObject)[word]);
    for (const name of named) {
      const [, pointer = ''] = typeof name === 'string' ? name.split('#') : [];
      if (pointer.startsWith('/')) pointers.push(pointer);
    }
  }
  return { pointers, resources };
}

function targetOf(resource: JsonValue, pointer: string): JsonValue | undefined {
  let target: JsonValue | undefined = resource;
  for (const step of pointer.split('/').slice(1).map(unescaped)) {
    if (typeof target !== 'object' || target === null || !Object.hasOwn(target, step)) return undefined;
    target = (target as JsonObject)[step];
  }
  return target;
}

function unescaped(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return step;
  }
}

/** What is not there refers to nothing: then the schema does not compile, or another resource is meant. */
function isCounted(target: JsonValue | undefined): boolean {
  if (target === undefined || typeof target === 'boolean') return true;
  return isJsonObject(target) && Object.hasOwn(target, STEPS);
}
