import type { NodeState, OpenInterrupt, WorkflowRunState } from '@palimpsest/contracts';

/**
 * The state as if all had happened `milliseconds` later. A branch goes on from a prefix that may be old: its delays,
 * timeouts and bounds run from when it was made.
 */
export function shiftTimes(state: WorkflowRunState, milliseconds: number): WorkflowRunState {
  const later = (instant: string): string => new Date(Date.parse(instant) + milliseconds).toISOString();
  const nodes = Object.entries(state.nodes).map(([id, node]) => [id, shiftNode(node, later)] as const);
  return {
    ...state,
    nodes: Object.fromEntries(nodes),
    ...(state.activeSince !== undefined && { activeSince: later(state.activeSince) }),
  };
}

type Later = (instant: string) => string;

function shiftNode(node: NodeState, later: Later): NodeState {
  switch (node.status) {
    case 'running':
      return {
        ...node,
        startedAt: later(node.startedAt),
        ...(node.requested && { requested: shiftInterrupt(node.requested, later) }),
      };
    case 'suspended':
      return {
        ...node,
        startedAt: later(node.startedAt),
        interrupt: shiftInterrupt(node.interrupt, later),
      };
    case 'retrying':
      return { ...node, since: later(node.since) };
    case 'completed':
    case 'failed':
    case 'skipped':
    case 'cancelled':
      return node;
    default:
      return node satisfies never;
  }
}

function shiftInterrupt(interrupt: OpenInterrupt, later: Later): OpenInterrupt {
  return { ...interrupt, requestedAt: later(interrupt.requestedAt) };
}
