import { accepts, type JsonSchema } from './json-schema.js';

/** The smallest value that a schema takes: required fields and nothing else. */
export function exampleOf(schema: JsonSchema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  const [branch] = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (branch) return exampleOf(branch);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(exampleOf)) as unknown;
  return exampleOfType(schema);
}

function exampleOfType(schema: JsonSchema): unknown {
  switch ([schema.type].flat()[0] ?? 'object') {
    case 'string':
      return exampleText(schema);
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => exampleOf(schema.items ?? {}));
    default:
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, exampleOf(schema.properties?.[name] ?? {})]),
      );
  }
}

const TEXTS = ['a', '1', '0', '1.0', 'text', 'a1b2c3', 'run_1', '2026-01-01T00:00:00.000Z'];

function exampleText(schema: JsonSchema): string {
  const padded = 'a'.repeat(schema.minLength ?? 0);
  return [...TEXTS, padded].find((text) => accepts(schema, text)) ?? padded;
}
