import type { JsonObject, JsonValue } from '@palimpsest/contracts';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';

/** JSON Schema 2020-12 that somebody gave: no remote references, and patterns in linear time. */
export type CheckJson = (value: JsonValue) => SchemaProblem | undefined;

/** Place of the first problem as `answers.q1`, empty for the whole; `keyword` is the schema's word that it breaks. */
export type SchemaProblem = { readonly path: string; readonly keyword: string };

const linearRegex = Object.assign(
  (pattern: string) => {
    const program = RE2JS.compile(pattern);
    // Ajv keeps patterns by their text.
    return { test: (text: string) => program.matcher(text).find(), toString: () => pattern };
  },
  { code: 'linearRegex' },
);

const MOST_COMPILED = 500;
const compiled = new Map<string, CheckJson>();

/** Undefined where the schema does not compile: a definition with such a one is refused. */
export function schemaCheckOf(schema: JsonObject): CheckJson | undefined {
  const text = JSON.stringify(schema);
  const known = compiled.get(text);
  if (known) return known;
  const check = compile(schema);
  if (!check) return undefined;
  if (compiled.size >= MOST_COMPILED) compiled.clear();
  compiled.set(text, check);
  return check;
}

/** The first problem; a schema that does not compile lets nothing pass. */
export function schemaProblemOf(schema: JsonObject, value: JsonValue): SchemaProblem | undefined {
  const check = schemaCheckOf(schema);
  return check ? check(value) : { path: '', keyword: 'schema' };
}

/** An instance each: ids inside of schemas must not meet. */
function compile(schema: JsonObject): CheckJson | undefined {
  try {
    const ajv = new Ajv2020({
      strict: false,
      validateFormats: false,
      logger: false,
      code: { regExp: linearRegex },
    });
    const validate = ajv.compile(schema);
    return (value) => firstProblem(validate, value);
  } catch {
    return undefined;
  }
}

function firstProblem(validate: ValidateFunction, value: JsonValue): SchemaProblem | undefined {
  try {
    return validate(value) === true ? undefined : problemOf(validate);
  } catch {
    // A schema that refers to itself without end.
    return { path: '', keyword: 'schema' };
  }
}

function problemOf({ errors }: ValidateFunction): SchemaProblem {
  const error = errors?.[0];
  const params = error?.params as Readonly<Record<string, string | undefined>> | undefined;
  const missing = params?.['missingProperty'] ?? params?.['additionalProperty'];
  const path = [
    ...(error?.instancePath.split('/').slice(1) ?? []),
    ...(missing === undefined ? [] : [missing]),
  ];
  return { path: path.join('.'), keyword: error?.keyword ?? 'schema' };
}
