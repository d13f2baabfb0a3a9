import type { JsonObject, JsonValue } from '@palimpsest/contracts';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { canonicalJson, TerminalError } from '@palimpsest/kernel';
import { RE2JS } from 're2js';
import { STEPS, withSteps } from './schema-steps.js';

/** JSON Schema 2020-12 that somebody gave: no remote references, and patterns in linear time. */
export type CheckJson = (value: JsonValue) => SchemaProblem | undefined;

/** Place of the first problem as `answers.q1`, empty for the whole; `keyword` is the schema's word that it breaks. */
export type SchemaProblem = { readonly path: string; readonly keyword: string };

/** Longest schema, in UTF-16 units of its JSON: compiling takes some ten milliseconds for each thousand. */
const MOST_SCHEMA = 32 * 1024;

/**
 * Steps of one check: a schema at a value, a character of a list whose items are compared. A schema of a few lines can
 * take twice as long with each level of a value; what takes more than this does not fit it.
 */
const MOST_STEPS = 500_000;
/** Instructions of a pattern at a character that take as long as one step. */
const INSTRUCTIONS_PER_STEP = 10;

const MOST_COMPILED = 500;
const compiled = new Map<string, CheckJson>();

/** Undefined where the schema does not compile: a definition with such a one is refused. */
export function schemaCheckOf(schema: JsonObject): CheckJson | undefined {
  const text = JSON.stringify(schema);
  const known = compiled.get(text);
  if (known) return known;
  const check = text.length > MOST_SCHEMA ? undefined : compile(schema);
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

/** Stays inside: a value that would take too long does not fit. */
class TooManyStepsError extends TerminalError {
  constructor() {
    super('validation_error', 'Checking the value would take too long.');
  }
}

class Steps {
  #left = 0;

  begin(): void {
    this.#left = MOST_STEPS;
  }

  /** @throws TooManyStepsError */
  take(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new TooManyStepsError();
  }
}

/** An instance each: ids inside of schemas must not meet. */
function compile(schema: JsonObject): CheckJson | undefined {
  try {
    const counted = withSteps(schema);
    if (!counted) return undefined;
    // The schema is checked, too, against that of its dialect.
    const steps = new Steps();
    steps.begin();
    const validate = boundedAjv(steps).compile(counted);
    return (value) => {
      steps.begin();
      return firstProblem(validate, value);
    };
  } catch {
    return undefined;
  }
}

function boundedAjv(steps: Steps): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    logger: false,
    inlineRefs: false,
    // Optimising takes time with the square of a schema's length, and saves little.
    code: { optimize: false, regExp: linearRegex(steps) },
  });
  const take = (count: number): boolean => {
    steps.take(count);
    return true;
  };
  ajv.addKeyword({ keyword: STEPS, schemaType: 'number', validate: take });
  // Ajv compares every item with every other.
  ajv.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (unique: boolean, items: readonly JsonValue[]) => !unique || areUnique(items, steps),
  });
  return ajv;
}

function areUnique(items: readonly JsonValue[], steps: Steps): boolean {
  const texts = items.map((item) => canonicalJson(item));
  steps.take(texts.reduce((sum, { length }) => sum + length, 0));
  return new Set(texts).size === items.length;
}

function linearRegex(steps: Steps) {
  const compilePattern = (pattern: string) => {
    const program = RE2JS.compile(pattern);
    const test = (text: string) => {
      steps.take((text.length * program.programSize()) / INSTRUCTIONS_PER_STEP);
      return program.matcher(text).find();
    };
    // Ajv keeps patterns by their text.
    return { test, toString: () => pattern };
  };
  return Object.assign(compilePattern, { code: 'linearRegex' });
}

function firstProblem(validate: ValidateFunction, value: JsonValue): SchemaProblem | undefined {
  try {
    return validate(value) === true ? undefined : problemOf(validate);
  } catch {
    // A schema that refers to itself without end, or that takes too many steps.
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
