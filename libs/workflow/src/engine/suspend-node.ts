import {
  eventIdOf,
  INTERRUPT_REQUESTED,
  NODE_SUSPENDED,
  type NewRunEvent,
  type NodeState,
  type OpenInterrupt,
  type WorkflowNode,
} from '@palimpsest/contracts';
import { SUPERVISOR } from '../loop/loop-types.js';
import type { Suspension } from '../node-types/node-type.js';
import type { Moment } from './moment.js';
import { nodeEvent } from './new-events.js';

type Asked = { readonly requested: OpenInterrupt; readonly requestedSequence?: number | undefined };

/** Host specification §4.9, closed; the key is the same in every replay. */
export function requested(
  node: WorkflowNode,
  request: Suspension,
  { state, rootRunId }: { readonly state: NodeState; readonly rootRunId: string },
): NewRunEvent {
  const key = `${rootRunId}:${node.id}:${state.suspensions + 1}`;
  return { type: INTERRUPT_REQUESTED, nodeId: node.id, payload: { ...request, key }, schemaVersion: 1 };
}

/** Caused by the request, which others' events may have followed. */
export function suspended(
  node: WorkflowNode,
  { requested: interrupt, requestedSequence }: Asked,
  moment: Moment,
): NewRunEvent {
  const { interruptId, kind, key } = interrupt;
  const payload = { interruptId, kind, key, ...reasonOf(node, interrupt, moment) };
  const cause = eventIdOf(moment.runId, requestedSequence ?? moment.state.lastSequence);
  return nodeEvent(NODE_SUSPENDED, node.id, payload, cause);
}

/** A supervisor that asks somebody to ratify its decision says why, and who decided (host specification §5.5). */
function reasonOf({ typeId }: WorkflowNode, { kind }: OpenInterrupt, { state: { loop } }: Moment): object {
  if (typeId !== SUPERVISOR || !loop?.held) return { reason: kind };
  return { reason: 'low-confidence', agentId: loop.agent.agentId };
}
