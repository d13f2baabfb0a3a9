import { CAP_BREACHED, NODE_STARTED, type NewRunEvent, type WorkflowNode } from '@palimpsest/contracts';
import { nodeEvent } from './new-events.js';
import { outcomeOf } from './node-outcome.js';
import type { RunParts } from './node-work.js';

/** `node.started`; or `cap.breached` where the run has started as many nodes as it may (host specification §5.7). */
export function startedNode(node: WorkflowNode, attempt: number, run: RunParts): NewRunEvent {
  const { nodeExecutions, bounds } = run.state;
  const limit = bounds.maxNodeExecutions;
  if (nodeExecutions + 1 > limit) {
    return nodeEvent(CAP_BREACHED, node.id, { kind: 'node-executions', limit, observed: limit + 1 });
  }
  return nodeEvent(NODE_STARTED, node.id, { typeId: node.typeId, attempt, ...delayOf(node, run) });
}

/** A delay's length is recorded with its start: what it is made of may change while the node waits. */
function delayOf(node: WorkflowNode, run: RunParts): { readonly delayMs?: number } {
  if (node.typeId !== 'core.delay') return {};
  const outcome = outcomeOf(node, run);
  return outcome.kind === 'sleep' ? { delayMs: outcome.delayMs } : {};
}
