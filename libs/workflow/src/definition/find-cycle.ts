import type { WorkflowDefinition, WorkflowEdge } from '@palimpsest/contracts';
import type { DefinitionProblem } from './definition-problem.js';

/** A loop through a dispatch is a loop of turns (host specification §10.1), which another part of the host runs. */
const LOOPING_TYPE = 'core.dispatch';

export function cycleProblems({ nodes, edges }: WorkflowDefinition): readonly DefinitionProblem[] {
  const looping = new Set(nodes.filter(({ typeId }) => typeId === LOOPING_TYPE).map(({ id }) => id));
  const straight = edges.filter(
    ({ sourceNodeId, targetNodeId }) => !looping.has(sourceNodeId) && !looping.has(targetNodeId),
  );
  const inCycles = withoutEnds(withoutEnds(straight, 'targetNodeId'), 'sourceNodeId')[0];
  const place = inCycles && edges.indexOf(inCycles);
  return place === undefined ? [] : [{ path: `edges.${place}`, problem: 'is part of a cycle' }];
}

/** Takes away edges that nothing leads to (or on from), and those that nothing leads to then, until none is left to take. */
function withoutEnds(
  edges: readonly WorkflowEdge[],
  end: 'sourceNodeId' | 'targetNodeId',
): readonly WorkflowEdge[] {
  const other = end === 'targetNodeId' ? 'sourceNodeId' : 'targetNodeId';
  const ways = new Map<string, number>();
  const leaving = new Map<string, WorkflowEdge[]>();
  for (const edge of edges) {
    ways.set(edge[end], (ways.get(edge[end]) ?? 0) + 1);
    const group = leaving.get(edge[other]);
    if (group) group.push(edge);
    else leaving.set(edge[other], [edge]);
  }
  const open = [...leaving.keys()].filter((nodeId) => !ways.has(nodeId));
  const taken = new Set<WorkflowEdge>();
  for (let nodeId = open.pop(); nodeId !== undefined; nodeId = open.pop()) {
    for (const edge of leaving.get(nodeId) ?? []) {
      taken.add(edge);
      const left = (ways.get(edge[end]) ?? 0) - 1;
      ways.set(edge[end], left);
      if (left === 0) open.push(edge[end]);
    }
  }
  return edges.filter((edge) => !taken.has(edge));
}
