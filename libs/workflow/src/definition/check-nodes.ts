import type { WorkflowDefinition, WorkflowNode } from '@palimpsest/contracts';
import { jsonBytes } from '../engine/json-size.js';
import { planOf } from '../engine/run-plan.js';
import { configProblemsOf, isExecuted } from '../node-types/node-types.js';
import { portProblems } from './check-ports.js';
import type { DefinitionProblem } from './definition-problem.js';

/** A gate puts its configuration into an event, with a schema made of it. */
const CONFIG_BYTES = 16 * 1024;

/** Inputs that name no node upstream, expressions that do not compile, configurations that do not fit the node's type. */
export function nodeProblems(definition: WorkflowDefinition): readonly DefinitionProblem[] {
  const plan = planOf(definition);
  return definition.nodes.flatMap((node, place) => [
    ...Object.entries(node.inputs).flatMap(([input, port]) =>
      portProblems(port, `nodes.${place}.inputs.${input}`, (nodeId) => plan.upstream(node.id).has(nodeId)),
    ),
    ...configProblems(node, `nodes.${place}.config`),
  ]);
}

/** Of types that are not ours nothing is known: a run of them is refused by name. */
function configProblems({ typeId, config }: WorkflowNode, path: string): readonly DefinitionProblem[] {
  if (!isExecuted(typeId)) return [];
  if (jsonBytes(config) > CONFIG_BYTES) return [{ path, problem: `exceeds ${CONFIG_BYTES} bytes of JSON` }];
  return configProblemsOf(typeId, config).map((found) => ({
    path: found.path === '' ? path : `${path}.${found.path}`,
    problem: found.problem,
  }));
}
