import {
  portValueSchema,
  type EdgeCondition,
  type JsonValue,
  type WorkflowEdge,
} from '@palimpsest/contracts';
import { evaluated, NOT_EVALUATED, type Evaluated } from './evaluated.js';
import { evaluateExpression } from './expression.js';
import { isEqualJson } from './equal-json.js';
import { regexMatches } from './linear-regex.js';
import { portValueOf } from './port-value.js';
import { memberOf, type Scope } from './scope.js';

type Operands = { readonly left: JsonValue; readonly right: JsonValue };

/** Whether an edge's condition holds; an operand that is not there is `null`. */
export function conditionHolds(edge: WorkflowEdge, scope: Scope): Evaluated<boolean> {
  const { condition } = edge;
  if (!condition) return evaluated(true);
  if (condition.type === 'expression') return expressionHolds(condition, scope);
  const left = condition.left === undefined ? sourceValue(edge, scope) : operand(condition.left, scope);
  const right = operand(condition.right ?? null, scope);
  return left.ok && right.ok
    ? compare(condition.type, { left: left.value, right: right.value })
    : NOT_EVALUATED;
}

function expressionHolds({ expression }: EdgeCondition, scope: Scope): Evaluated<boolean> {
  const result = evaluateExpression(expression ?? '', scope);
  return result.ok && typeof result.value === 'boolean' ? evaluated(result.value) : NOT_EVALUATED;
}

/** The source's output that the edge names, or all of them. */
function sourceValue({ sourceNodeId, sourceOutput }: WorkflowEdge, scope: Scope): Evaluated<JsonValue> {
  const outputs = scope.outputsOf(sourceNodeId);
  return evaluated((sourceOutput === undefined ? outputs : memberOf(outputs, sourceOutput)) ?? null);
}

/** An object of the shape of a port value is one; everything else stands for itself. */
function operand(value: JsonValue, scope: Scope): Evaluated<JsonValue> {
  const port = portValueSchema.safeParse(value);
  if (!port.success) return evaluated(value);
  const result = portValueOf(port.data, scope);
  return result.ok ? evaluated(result.value ?? null) : NOT_EVALUATED;
}

function compare(
  type: Exclude<EdgeCondition['type'], 'expression'>,
  { left, right }: Operands,
): Evaluated<boolean> {
  switch (type) {
    case 'equals':
      return evaluated(isEqualJson(left, right));
    case 'notEquals':
      return evaluated(!isEqualJson(left, right));
    case 'contains':
      return evaluated(contains(left, right));
    case 'regex':
      return typeof right === 'string' ? regexMatches(right, left) : NOT_EVALUATED;
    default:
      return type satisfies never;
  }
}

/** A text contains a text, a list an element, an object a key. */
function contains(left: JsonValue, right: JsonValue): boolean {
  if (typeof left === 'string') return typeof right === 'string' && left.includes(right);
  if (typeof left !== 'object' || left === null) return false;
  if (Array.isArray(left)) return left.some((item: JsonValue) => isEqualJson(item, right));
  return typeof right === 'string' && Object.hasOwn(left, right);
}
