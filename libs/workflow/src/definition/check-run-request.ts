import type {
  JsonObject,
  JsonValue,
  RunBounds,
  WorkflowDefinition,
  WorkflowVariable,
} from '@palimpsest/contracts';
import { ValidationError } from '@palimpsest/kernel';
import { MOST_TURNS } from '../loop/loop-bounds.js';
import { SUPERVISOR } from '../loop/loop-types.js';
import { memberOf } from '../values/scope.js';
import { checkConfigurable } from './check-configurable.js';
import { isOfType } from './variable-types.js';

export type RunRequest = { readonly inputs: JsonObject; readonly configurable: JsonObject };

export type CheckedRunRequest = {
  /** Values of variables that the inputs leave to their defaults. */
  readonly defaults: JsonObject;
  readonly bounds: RunBounds;
};

/**
 * Inputs against the workflow's variables, `configurable` against its schema and the reserved keys (host specification
 * §3.1, §3.2, §5.7). Inputs that no variable names are allowed. @throws ValidationError with `details.field`
 */
export function checkRunRequest(
  definition: WorkflowDefinition,
  request: RunRequest,
  limits: RunBounds,
): CheckedRunRequest {
  const defaults = definition.variables.flatMap((variable) => defaultOf(variable, request.inputs));
  checkConfigurable(definition, request.configurable);
  return { defaults: Object.fromEntries(defaults), bounds: boundsOf(definition, request, limits) };
}

/** A default fills only what is absent: `null` is a value, if no fitting one. */
function defaultOf(variable: WorkflowVariable, inputs: JsonObject): [string, JsonValue][] {
  const { name, type, required, defaultValue } = variable;
  const field = `inputs.${name}`;
  const value = memberOf(inputs, name);
  if (value !== undefined) {
    if (!isOfType(type, value)) throw new ValidationError('An input is of another type.', { field, type });
    return [];
  }
  if (defaultValue !== undefined) return [[name, defaultValue]];
  if (required) throw new ValidationError('A required input is missing.', { field });
  return [];
}

/** The tightest of host, workflow and request. */
function boundsOf(
  { settings, nodes }: WorkflowDefinition,
  { configurable }: RunRequest,
  { maxNodeExecutions, maxRunDurationMs, maxLoopIterations = MOST_TURNS }: RunBounds,
): RunBounds {
  const recursionLimit = memberOf(configurable, 'recursionLimit') ?? maxNodeExecutions;
  const runTimeoutMs = memberOf(configurable, 'runTimeoutMs') ?? maxRunDurationMs;
  const turns = memberOf(configurable, 'maxLoopIterations') ?? maxLoopIterations;
  const isLoop = nodes.some(({ typeId }) => typeId === SUPERVISOR);
  const timeout = settings.timeout ? settings.timeout : maxRunDurationMs;
  return {
    maxNodeExecutions: Math.min(maxNodeExecutions, Number(recursionLimit)),
    maxRunDurationMs: Math.min(maxRunDurationMs, timeout, Number(runTimeoutMs)),
    ...(isLoop && { maxLoopIterations: Math.min(maxLoopIterations, Number(turns)) }),
  };
}
