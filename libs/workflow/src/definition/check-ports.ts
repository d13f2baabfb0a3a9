import type { PortValue } from '@palimpsest/contracts';
import { problemOfExpression } from '../values/expression.js';
import type { DefinitionProblem } from './definition-problem.js';

/** `inSight`: true for a node whose outputs are there when the port is looked at. */
export function portProblems(
  port: PortValue,
  path: string,
  inSight: (nodeId: string) => boolean,
): readonly DefinitionProblem[] {
  switch (port.type) {
    case 'static':
    case 'variable':
      return [];
    case 'connection':
      return inSight(port.nodeId) ? [] : [{ path: `${path}.nodeId`, problem: 'names no node upstream' }];
    case 'expression':
      return expressionProblems(port.expression, `${path}.expression`);
    default:
      return port satisfies never;
  }
}

export function expressionProblems(
  expression: string,
  path: string,
  as: 'any' | 'bool' = 'any',
): readonly DefinitionProblem[] {
  const problem = problemOfExpression(expression, as);
  return problem === undefined ? [] : [{ path, problem }];
}
