import {
  portValueSchema,
  type EdgeCondition,
  type WorkflowDefinition,
  type WorkflowEdge,
} from '@palimpsest/contracts';
import { planOf, triggerRuleOf, type RunPlan } from '../engine/run-plan.js';
import { problemOfRegex } from '../values/linear-regex.js';
import { expressionProblems, portProblems } from './check-ports.js';
import type { DefinitionProblem } from './definition-problem.js';

/** Trigger rules that edges into one node do not share, and conditions that could not be evaluated. */
export function edgeProblems(definition: WorkflowDefinition): readonly DefinitionProblem[] {
  const plan = planOf(definition);
  return definition.edges.flatMap((edge, place) => [
    ...ruleProblems(edge, `edges.${place}`, plan),
    ...conditionProblems(edge, `edges.${place}.condition`, plan),
  ]);
}

function ruleProblems(edge: WorkflowEdge, path: string, plan: RunPlan): readonly DefinitionProblem[] {
  const shared = triggerRuleOf(plan.incoming(edge.targetNodeId));
  if ((edge.triggerRule ?? 'all_success') === shared) return [];
  return [{ path: `${path}.triggerRule`, problem: 'differs from that of other edges into the node' }];
}

function conditionProblems(edge: WorkflowEdge, path: string, plan: RunPlan): readonly DefinitionProblem[] {
  const { condition, sourceNodeId } = edge;
  if (!condition) return [];
  if (condition.type === 'expression') {
    if (condition.expression === undefined) return [{ path: `${path}.expression`, problem: 'is missing' }];
    return expressionProblems(condition.expression, `${path}.expression`, 'bool');
  }
  if (condition.right === undefined) return [{ path: `${path}.right`, problem: 'is missing' }];
  const inSight = (nodeId: string) => nodeId === sourceNodeId || plan.upstream(sourceNodeId).has(nodeId);
  return [
    ...operandProblems(condition.left, `${path}.left`, inSight),
    ...operandProblems(condition.right, `${path}.right`, inSight),
    ...regexProblems(condition, `${path}.right`),
  ];
}

function operandProblems(
  operand: EdgeCondition['left'],
  path: string,
  inSight: (nodeId: string) => boolean,
): readonly DefinitionProblem[] {
  const port = portValueSchema.safeParse(operand);
  return port.success ? portProblems(port.data, path, inSight) : [];
}

/** A pattern that is there only when the run goes on is checked then. */
function regexProblems({ type, right }: EdgeCondition, path: string): readonly DefinitionProblem[] {
  if (type !== 'regex') return [];
  const port = portValueSchema.safeParse(right);
  const pattern = port.success && port.data.type === 'static' ? port.data.value : right;
  if (port.success && port.data.type !== 'static') return [];
  if (typeof pattern !== 'string') return [{ path, problem: 'must be a text' }];
  const problem = problemOfRegex(pattern);
  return problem === undefined ? [] : [{ path, problem }];
}
