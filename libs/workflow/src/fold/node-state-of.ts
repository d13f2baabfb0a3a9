import type { NodeState, WorkflowRunState } from '@palimpsest/contracts';

/** The state of a node, undefined before anything happened to it. A node may be called `constructor`. */
export function nodeStateOf(state: WorkflowRunState, nodeId: string): NodeState | undefined {
  return Object.hasOwn(state.nodes, nodeId) ? state.nodes[nodeId] : undefined;
}
