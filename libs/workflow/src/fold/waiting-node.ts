import type { NodeState, OpenInterrupt, WorkflowRunState } from '@palimpsest/contracts';

export type WaitingNode = { readonly nodeId: string; readonly interrupt: OpenInterrupt };

/** The interrupt of a node that takes an answer; undefined where there is none, or where it was answered. */
export function openInterruptOf(node: NodeState | undefined): OpenInterrupt | undefined {
  if (node?.status !== 'suspended' || node.answer || node.timedOut) return undefined;
  return node.interrupt;
}

/** The node that waits longest for an answer. By time and key, as a store may change the order of a state's keys. */
export function waitingNode(state: WorkflowRunState): WaitingNode | undefined {
  if (state.ended) return undefined;
  let first: WaitingNode | undefined;
  for (const [nodeId, node] of Object.entries(state.nodes)) {
    const interrupt = openInterruptOf(node);
    if (interrupt && (!first || isBefore(interrupt, first.interrupt))) first = { nodeId, interrupt };
  }
  return first;
}

function isBefore(one: OpenInterrupt, other: OpenInterrupt): boolean {
  if (one.requestedAt !== other.requestedAt) return one.requestedAt < other.requestedAt;
  return one.key < other.key;
}
