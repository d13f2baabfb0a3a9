import {
  NODE_CANCELLED,
  type NewRunEvent,
  type NodeState,
  type WorkflowRunState,
} from '@palimpsest/contracts';
import { nodeEvent } from './new-events.js';

type End = Pick<WorkflowRunState, 'failing' | 'cancelling'>;

/** Started, and not at its end. */
export function isOpen(node: NodeState | undefined): boolean {
  return node?.status === 'running' || node?.status === 'suspended' || node?.status === 'retrying';
}

/** Its last event is to be followed by another one at once. */
export function isHalfway(node: NodeState): boolean {
  if (node.status === 'running') return node.requested !== undefined;
  return node.status === 'suspended' && (node.answer !== undefined || node.timedOut === true);
}

/** `why`: with the first node only, as the run's own event may be batches away. */
export function cancelledNode(
  nodeId: string,
  reason: 'run-failed' | 'run-cancelled',
  why: End = {},
): NewRunEvent {
  return nodeEvent(NODE_CANCELLED, nodeId, { reason, ...why });
}
