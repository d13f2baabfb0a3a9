import type { WorkflowDefinition } from '@palimpsest/contracts';
import { loopPlanOf } from '../loop/loop-plan.js';
import { DISPATCH, SUPERVISOR } from '../loop/loop-types.js';
import type { DefinitionProblem } from './definition-problem.js';

/**
 * Cycles, except the one of a supervisor and its dispatch (host specification §10.1): those two count as one node, so that
 * no other way leads from the loop back into it.
 */
export function cycleProblems({ nodes, edges }: WorkflowDefinition): readonly DefinitionProblem[] {
  const loop = loopPlanOf({ nodes, edges });
  const merged = (nodeId: string) =>
    loop.isLooping && nodeId === loop.dispatchId ? loop.supervisorId : nodeId;
  const straight = edges
    .map((edge, place) => ({
      place,
      sourceNodeId: merged(edge.sourceNodeId) ?? '',
      targetNodeId: merged(edge.targetNodeId) ?? '',
    }))
    .filter(({ sourceNodeId, targetNodeId }) => sourceNodeId !== targetNodeId);
  const inCycles = withoutEnds(withoutEnds(straight, 'targetNodeId'), 'sourceNodeId')[0];
  return inCycles ? [{ path: `edges.${inCycles.place}`, problem: 'is part of a cycle' }] : [];
}

/** A run has one who decides, and one who hands off. */
export function loopProblems({ nodes }: WorkflowDefinition): readonly DefinitionProblem[] {
  const problem = 'is there twice: a workflow has one supervisor and one dispatch at most';
  return [SUPERVISOR, DISPATCH].flatMap((type) => {
    const places = [...nodes.keys()].filter((place) => nodes[place]?.typeId === type);
    return places.slice(1).map((place) => ({ path: `nodes.${place}.typeId`, problem }));
  });
}

type Way = { readonly place: number; readonly sourceNodeId: string; readonly targetNodeId: string };

/** Takes away edges that nothing leads to (or on from), and those that nothing leads to then, until none is left to take. */
function withoutEnds(edges: readonly Way[], end: 'sourceNodeId' | 'targetNodeId'): readonly Way[] {
  const other = end === 'targetNodeId' ? 'sourceNodeId' : 'targetNodeId';
  const ways = new Map<string, number>();
  const leaving = new Map<string, Way[]>();
  for (const edge of edges) {
    ways.set(edge[end], (ways.get(edge[end]) ?? 0) + 1);
    const group = leaving.get(edge[other]);
    if (group) group.push(edge);
    else leaving.set(edge[other], [edge]);
  }
  const open = [...leaving.keys()].filter((nodeId) => !ways.has(nodeId));
  const taken = new Set<Way>();
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
