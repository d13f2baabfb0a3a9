import type { JsonObject, JsonValue, WorkflowDefinition } from '@palimpsest/contracts';
import { ValidationError } from '@palimpsest/kernel';
import { schemaCheckOf, schemaProblemOf, type CheckJson } from '../interrupts/json-schema.js';
import { memberOf } from '../values/scope.js';

const isPositiveInt = (value: JsonValue) => Number.isSafeInteger(value) && Number(value) >= 1;
const isWithin = (least: number, most: number) => (value: JsonValue) =>
  typeof value === 'number' && value >= least && value <= most;

type Rule = { readonly holds: (value: JsonValue) => boolean; readonly must: string };
const positiveInt: Rule = { holds: isPositiveInt, must: 'be a whole number of at least 1' };

/** Reserved keys (host specification §3.2): they mean the same in every workflow, whatever its schema says. */
const RESERVED: Readonly<Record<string, Rule>> = {
  recursionLimit: positiveInt,
  runTimeoutMs: positiveInt,
  maxLoopIterations: positiveInt,
  maxTokens: positiveInt,
  temperature: { holds: isWithin(0, 2), must: 'be a number from 0 to 2' },
  escalationThreshold: { holds: isWithin(0, 1), must: 'be a number from 0 to 1' },
  model: { holds: (value) => typeof value === 'string' && value !== '', must: 'be a text' },
};

/** @throws ValidationError with `details.field`, `configurable.…` */
export function checkConfigurable(definition: WorkflowDefinition, configurable: JsonObject): void {
  checkReservedKeys(configurable);
  const problem = definition.configurableSchema && configurableCheckOf(definition)(configurable);
  if (!problem) return;
  const field = problem.path === '' ? 'configurable' : `configurable.${problem.path}`;
  throw new ValidationError("configurable does not fit the workflow's schema.", {
    field,
    keyword: problem.keyword,
  });
}

/** @throws ValidationError with `details.field`, `configurable.…` */
export function checkReservedKeys(configurable: JsonObject): void {
  for (const [key, { holds, must }] of Object.entries(RESERVED)) {
    const value = memberOf(configurable, key);
    if (value === undefined || holds(value)) continue;
    throw new ValidationError(`A reserved key of configurable must ${must}.`, {
      field: `configurable.${key}`,
    });
  }
}

const checks = new WeakMap<WorkflowDefinition, CheckJson>();

/** Looked up once for a definition. */
function configurableCheckOf(definition: WorkflowDefinition): CheckJson {
  const known = checks.get(definition);
  if (known) return known;
  const schema = definition.configurableSchema ?? {};
  const check = schemaCheckOf(schema) ?? ((value) => schemaProblemOf(schema, value));
  checks.set(definition, check);
  return check;
}
