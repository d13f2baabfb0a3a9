import type { WorkflowDefinition, WorkflowEdge, WorkflowNode } from '@palimpsest/contracts';

/** A configuration may be wrong: that is for the engine to find out. */
type NodeParts = Partial<Omit<WorkflowNode, 'config' | 'inputs'>> & {
  readonly config?: object;
  readonly inputs?: object;
};
type EdgeParts = Partial<Omit<WorkflowEdge, 'condition'>> & { readonly condition?: object };

/** Short forms of definitions for specs. */
export function node(id: string, type = 'noop', more: NodeParts = {}): WorkflowNode {
  const parts = {
    id,
    typeId: `core.${type}`,
    name: id,
    position: { x: 0, y: 0 },
    config: {},
    inputs: {},
    ...more,
  };
  return parts as WorkflowNode;
}

/** `edge('a', 'b')` is called `a-b`. */
export function edge(source: string, target: string, more: EdgeParts = {}): WorkflowEdge {
  const parts = { id: `${source}-${target}`, sourceNodeId: source, targetNodeId: target, ...more };
  return parts as WorkflowEdge;
}

export function workflow(
  nodes: readonly WorkflowNode[],
  edges: readonly WorkflowEdge[] = [],
  more: Partial<WorkflowDefinition> = {},
): WorkflowDefinition {
  return {
    id: 'w',
    name: 'w',
    version: '1',
    nodes: [...nodes],
    edges: [...edges],
    triggers: [],
    variables: [],
    metadata: {},
    settings: {},
    ...more,
  };
}

/** Noops, one after another: `n0`, `n1`, … */
export function chain(length: number): WorkflowDefinition {
  const nodes = Array.from({ length }, (_, place) => node(`n${place}`));
  const edges = nodes.slice(1).map(({ id }, place) => edge(`n${place}`, id));
  return workflow(nodes, edges);
}
