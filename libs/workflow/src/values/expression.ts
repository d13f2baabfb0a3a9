import { Environment, type ParseResult } from '@marcbachmann/cel-js';
import type { JsonValue } from '@palimpsest/contracts';
import { isTooCostly } from './expression-cost.js';
import { expressionProblem } from './expression-limits.js';
import { NOT_EVALUATED, type Evaluated } from './evaluated.js';
import { jsonOfCel } from './json-of-cel.js';
import type { Scope } from './scope.js';

/** Expressions are CEL over `inputs`, `variables` and `nodes` (outputs by node id): no clock, no I/O, no endless loop. */
const environment = withNumbersOfJson(
  new Environment({
    homogeneousAggregateLiterals: false,
    limits: { maxAstNodes: 256, maxDepth: 32, maxListElements: 256, maxMapEntries: 256 },
  })
    .registerVariable('inputs', 'map')
    .registerVariable('variables', 'map')
    .registerVariable('nodes', 'map'),
);

/** JSON has one kind of number, which CEL takes for a double: `inputs.count + 1` is to work nevertheless. */
function withNumbersOfJson(target: Environment): Environment {
  const operators: Readonly<Record<string, (left: number, right: number) => number>> = {
    '+': (left, right) => left + right,
    '-': (left, right) => left - right,
    '*': (left, right) => left * right,
    '/': (left, right) => left / right,
    '%': (left, right) => left % right,
  };
  for (const [operator, apply] of Object.entries(operators)) {
    for (const operands of [
      'double # int',
      'int # double',
      ...(operator === '%' ? ['double # double'] : []),
    ]) {
      target.registerOperator(`${operands.replace('#', operator)}: double`, (left: unknown, right: unknown) =>
        apply(Number(left), Number(right)),
      );
    }
  }
  return target;
}

const MOST_COMPILED = 1000;
const compiled = new Map<string, ParseResult>();

/** Why an expression is refused; undefined where it compiles. `as`: what it must give, as far as that is known before. */
export function problemOfExpression(expression: string, as: 'any' | 'bool' = 'any'): string | undefined {
  try {
    const parsed = environment.parse(expression);
    const { valid, type = '' } = parsed.check();
    if (!valid) return 'does not compile: unknown names or types that do not fit';
    if (as === 'bool' && type !== 'bool' && type !== 'dyn') return 'is not true or false';
    return expressionProblem(parsed.ast);
  } catch {
    return 'does not compile';
  }
}

export function evaluateExpression(expression: string, scope: Scope): Evaluated<JsonValue> {
  const program = programOf(expression);
  if (!program) return NOT_EVALUATED;
  try {
    const { inputs, variables } = scope;
    const nodes = expression.includes('nodes') ? scope.nodes() : {};
    const roots = { inputs, variables, nodes };
    return isTooCostly(program.ast, roots) ? NOT_EVALUATED : jsonOfCel(program(roots));
  } catch {
    // What went wrong is told with the values that it went wrong with.
    return NOT_EVALUATED;
  }
}

function programOf(expression: string): ParseResult | undefined {
  const known = compiled.get(expression);
  if (known) return known;
  if (problemOfExpression(expression) !== undefined) return undefined;
  const program = environment.parse(expression);
  if (compiled.size >= MOST_COMPILED) compiled.clear();
  compiled.set(expression, program);
  return program;
}
