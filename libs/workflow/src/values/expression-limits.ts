import type { ASTNode } from '@marcbachmann/cel-js';

const LOOPS: readonly string[] = ['all', 'exists', 'exists_one', 'map', 'filter'];

export function isLoop(method: string): boolean {
  return LOOPS.includes(method);
}

/** Names of methods that could take long, and what to say about them. */
const REFUSED: Readonly<Record<string, string>> = {
  matches: 'uses matches(): a regular expression belongs into a condition of type regex',
  bind: 'uses cel.bind()',
};

/** Why a parsed expression is refused: it could take much longer than reading the values that it looks at. */
export function expressionProblem(ast: ASTNode): string | undefined {
  return problemIn(ast, false);
}

function problemIn(part: unknown, inLoop: boolean): string | undefined {
  if (Array.isArray(part)) return firstProblem(part, inLoop);
  if (!isNode(part)) return undefined;
  if (part.op !== 'rcall') return problemIn(part.args, inLoop);
  const [name, receiver, callArguments] = part.args;
  if (Object.hasOwn(REFUSED, name)) return REFUSED[name];
  const loops = isLoop(name);
  if (loops && inLoop) return 'has a loop within a loop';
  return problemIn(receiver, inLoop) ?? problemIn(callArguments, inLoop || loops);
}

function firstProblem(parts: readonly unknown[], inLoop: boolean): string | undefined {
  for (const part of parts) {
    const problem = problemIn(part, inLoop);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function isNode(part: unknown): part is ASTNode {
  return typeof part === 'object' && part !== null && 'op' in part && 'args' in part;
}
