import type { JsonValue, PortValue } from '@palimpsest/contracts';
import { evaluated, type Evaluated } from './evaluated.js';
import { evaluateExpression } from './expression.js';
import { memberOf, type Scope } from './scope.js';

/** What a port holds; undefined where it names something that is not there. */
export function portValueOf(port: PortValue, scope: Scope): Evaluated<JsonValue | undefined> {
  switch (port.type) {
    case 'static':
      return evaluated(port.value);
    case 'variable':
      return evaluated(memberOf(scope.variables, port.variableName));
    case 'connection':
      return evaluated(memberOf(scope.outputsOf(port.nodeId), port.outputKey));
    case 'expression':
      return evaluateExpression(port.expression, scope);
    default:
      return port satisfies never;
  }
}
