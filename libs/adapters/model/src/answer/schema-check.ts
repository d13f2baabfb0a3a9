import { createContext, Script } from 'node:vm';
import type { JsonObject, JsonValue } from '@palimpsest/contracts';
import { ValidationError } from '@palimpsest/kernel';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';

/** `place` and `text` are for the model, which wrote what they are about; `keyword` is the schema's. */
export type SchemaProblem = { readonly place: string; readonly keyword: string; readonly text: string };

/** The first problems of a value; none: it fits. */
export type SchemaCheck = (value: JsonValue) => readonly SchemaProblem[];

/** Enough for a model to see what is wrong. */
const MOST_PROBLEMS = 8;
/** A pattern may take for ever on a text that a model wrote. Generous: the time is the clock's, of a busy machine too. */
const LONGEST_CHECK_MS = 1000;
const HAS_PATTERN = /"pattern(Properties)?":/;
const MOST_COMPILED = 200;

const compiled = new Map<string, SchemaCheck>();
const runCheck = new Script('check()');

/** The check of a JSON Schema (2020-12); `ValidationError` where it is none. */
export function schemaCheck(schema: JsonObject): SchemaCheck {
  const text = JSON.stringify(schema);
  const known = compiled.get(text);
  if (known) return known;
  const check = compile(schema);
  if (compiled.size >= MOST_COMPILED) compiled.clear();
  compiled.set(text, check);
  return check;
}

function compile(schema: JsonObject): SchemaCheck {
  // An instance each: ids inside of schemas must not meet.
  const ajv = new Ajv2020({
    strict: false,
    strictNumbers: true,
    allErrors: true,
    validateFormats: false,
    logger: false,
  });
  const { $schema: _, ...rest } = schema;
  const validate = compileOrRefuse(() => ajv.compile(rest));
  const problems = () => (validate.errors ?? []).slice(0, MOST_PROBLEMS).map(problemOf);
  const guarded = HAS_PATTERN.test(JSON.stringify(rest));
  return (value) => {
    const check = () => validate(value);
    try {
      return (guarded ? inTime(check) : check()) === true ? [] : problems();
    } catch {
      // Out of time, or nested beyond what a stack holds.
      return [{ place: '', keyword: guarded ? 'pattern' : '$ref', text: 'cannot be checked' }];
    }
  };
}

function inTime(check: () => boolean): unknown {
  return runCheck.runInContext(createContext({ check }), { timeout: LONGEST_CHECK_MS });
}

function compileOrRefuse<Validate>(build: () => Validate): Validate {
  try {
    return build();
  } catch {
    throw new ValidationError('The schema of the answer is none.', {
      field: 'answer.schema',
      rule: 'schema',
    });
  }
}

function problemOf({ instancePath, keyword, message, params }: ErrorObject): SchemaProblem {
  const extra = (params as { additionalProperty?: unknown }).additionalProperty;
  return {
    place: typeof extra === 'string' ? `${instancePath}/${extra}` : instancePath,
    keyword,
    text: typeof extra === 'string' ? 'must not be there' : (message ?? 'does not fit'),
  };
}
