import type { TriggerRule, WorkflowDefinition, WorkflowEdge, WorkflowNode } from '@palimpsest/contracts';
import { loopPlanOf, type LoopPlan } from '../loop/loop-plan.js';
import { modelLoopOf } from '../loop/model-loop.js';
import { NodeSet } from './node-set.js';

/** What the engine looks up in a definition: made once, as a definition never changes under its digest. */
export type RunPlan = {
  readonly definition: WorkflowDefinition;
  readonly nodes: readonly WorkflowNode[];
  readonly loop: LoopPlan;
  /** A model decides the turns of the loop, and reads what workers returned. */
  readonly isModelLoop: boolean;
  incoming(nodeId: string): readonly WorkflowEdge[];
  outgoing(nodeId: string): readonly WorkflowEdge[];
  /** Place of a node in the definition. */
  place(nodeId: string): number | undefined;
  /** Every node from which a way leads to this one. */
  upstream(nodeId: string): NodeSet;
  /** True where an edge of the node waits for its failure, so that it does not fail the run. */
  handlesFailureOf(nodeId: string): boolean;
};

const plans = new WeakMap<WorkflowDefinition, RunPlan>();

export function planOf(definition: WorkflowDefinition): RunPlan {
  const known = plans.get(definition);
  if (known) return known;
  const plan = makePlan(definition);
  plans.set(definition, plan);
  return plan;
}

/** The rule of a node: its edges agree. */
export function triggerRuleOf(incoming: readonly WorkflowEdge[]): TriggerRule {
  return incoming[0]?.triggerRule ?? 'all_success';
}

const TAKES_FAILURES: readonly (TriggerRule | undefined)[] = ['any_failed', 'all_complete'];

function makePlan(definition: WorkflowDefinition): RunPlan {
  const places = new Map(definition.nodes.map(({ id }, place) => [id, place]));
  const into = edgesBy(definition, 'targetNodeId');
  const outOf = edgesBy(definition, 'sourceNodeId');
  const incoming = (nodeId: string) => into.get(nodeId) ?? [];
  const outgoing = (nodeId: string) => outOf.get(nodeId) ?? [];
  const upstream = new Map<string, NodeSet>();
  return {
    definition,
    nodes: definition.nodes,
    loop: loopPlanOf(definition),
    isModelLoop: modelLoopOf(definition) !== undefined,
    place: (nodeId) => places.get(nodeId),
    incoming,
    outgoing,
    upstream(nodeId) {
      const known = upstream.get(nodeId);
      if (known) return known;
      const found = upstreamOf(nodeId, new NodeSet(places), incoming);
      upstream.set(nodeId, found);
      return found;
    },
    handlesFailureOf: (nodeId) =>
      outgoing(nodeId).some(({ triggerRule }) => TAKES_FAILURES.includes(triggerRule)),
  };
}

function edgesBy(
  { edges }: WorkflowDefinition,
  end: 'sourceNodeId' | 'targetNodeId',
): ReadonlyMap<string, readonly WorkflowEdge[]> {
  const groups = new Map<string, WorkflowEdge[]>();
  for (const edge of edges) {
    const group = groups.get(edge[end]);
    if (group) group.push(edge);
    else groups.set(edge[end], [edge]);
  }
  return groups;
}

function upstreamOf(
  nodeId: string,
  found: NodeSet,
  incoming: (nodeId: string) => readonly WorkflowEdge[],
): NodeSet {
  const open = [nodeId];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { sourceNodeId } of incoming(next)) {
      if (found.has(sourceNodeId)) continue;
      found.add(sourceNodeId);
      open.push(sourceNodeId);
    }
  }
  return found;
}
