import type { RunStatus, SuspendKind, WorkflowRunState } from '@palimpsest/contracts';
import { waitingNode } from './waiting-node.js';

/**
 * `pending` until the first node starts; then what its nodes and its end make of it (host specification §3.3, §3.5). An
 * open interrupt makes a run wait even where other branches of it go on: somebody is asked.
 */
export function runStatusOf(state: WorkflowRunState): RunStatus {
  if (state.ended) return state.ended;
  if (state.cancelling) return 'cancelling';
  const waiting = waitingNode(state);
  if (waiting) return statusWhileWaiting(waiting.interrupt.kind);
  return state.nodeExecutions === 0 ? 'pending' : 'running';
}

function statusWhileWaiting(kind: SuspendKind): RunStatus {
  switch (kind) {
    case 'approval':
    case 'low-confidence':
      return 'waiting-approval';
    case 'clarification':
      return 'waiting-input';
    case 'external-event':
    case 'custom':
      return 'waiting-external';
    default:
      return kind satisfies never;
  }
}
