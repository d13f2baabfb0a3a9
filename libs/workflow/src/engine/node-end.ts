import {
  NODE_COMPLETED,
  NODE_FAILED,
  NODE_RETRIED,
  type JsonObject,
  type NewRunEvent,
  type NodeState,
  type RunError,
  type WorkflowNode,
} from '@palimpsest/contracts';
import { RETRY_FIRST_MS, RETRY_MOST_MS } from './engine-limits.js';
import { nodeEvent } from './new-events.js';
import type { RunPlan } from './run-plan.js';

export function completedNode(node: WorkflowNode, outputs: JsonObject): NewRunEvent {
  return nodeEvent(NODE_COMPLETED, node.id, { outputs });
}

/** `node.failed`; or `node.retried` where the error may pass and attempts are left. */
export function failedNode(
  plan: RunPlan,
  node: WorkflowNode,
  { attempt }: NodeState,
  error: RunError,
): NewRunEvent {
  const retries = node.settings?.maxRetries ?? plan.definition.settings.maxRetries ?? 0;
  if (error.retryable !== true || attempt >= retries) {
    return nodeEvent(NODE_FAILED, node.id, { error, attempts: attempt + 1 });
  }
  const delayMs = Math.min(RETRY_MOST_MS, RETRY_FIRST_MS * 2 ** attempt);
  return nodeEvent(NODE_RETRIED, node.id, { attempt: attempt + 1, delayMs, lastError: error });
}
