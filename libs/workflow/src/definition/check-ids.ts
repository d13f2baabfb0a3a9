import type { WorkflowDefinition, WorkflowEdge } from '@palimpsest/contracts';
import type { DefinitionProblem } from './definition-problem.js';

/** Ids that are not unique, and edges that name no node or lead from a node to itself. */
export function idProblems({ nodes, edges, variables }: WorkflowDefinition): readonly DefinitionProblem[] {
  const known = new Set(nodes.map(({ id }) => id));
  return [
    ...repeated(nodes.map(({ id }) => id)).map((place) => notUnique(`nodes.${place}.id`)),
    ...repeated(edges.map(({ id }) => id)).map((place) => notUnique(`edges.${place}.id`)),
    ...repeated(variables.map(({ name }) => name)).map((place) => notUnique(`variables.${place}.name`)),
    ...edges.flatMap((edge, place) => endProblems(edge, `edges.${place}`, known)),
  ];
}

function endProblems(
  { sourceNodeId, targetNodeId }: WorkflowEdge,
  path: string,
  known: ReadonlySet<string>,
): readonly DefinitionProblem[] {
  if (!known.has(sourceNodeId)) return [{ path: `${path}.sourceNodeId`, problem: 'names no node' }];
  if (!known.has(targetNodeId)) return [{ path: `${path}.targetNodeId`, problem: 'names no node' }];
  if (sourceNodeId === targetNodeId) return [{ path, problem: 'leads from a node to itself' }];
  return [];
}

function notUnique(path: string): DefinitionProblem {
  return { path, problem: 'is not unique' };
}

/** Places of what stands before already. */
function repeated(ids: readonly string[]): readonly number[] {
  const seen = new Set<string>();
  return ids.flatMap((id, place) => {
    if (seen.has(id)) return [place];
    seen.add(id);
    return [];
  });
}
