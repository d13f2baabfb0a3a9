import type { NodeState, WorkflowNode } from '@palimpsest/contracts';
import { isAnsweredOutside } from '../effects/side-effect-type.js';

/** When something is due at an open node, in milliseconds of the epoch; undefined where nothing is. */
export type Due = { readonly at: number; readonly what: 'complete' | 'time-out' | 'retry' };

export function dueOf(node: WorkflowNode, state: NodeState): Due | undefined {
  switch (state.status) {
    case 'running':
      if (state.delayMs !== undefined) return delayDue(node, Date.parse(state.startedAt), state.delayMs);
      return isAnsweredOutside(node.typeId) ? limitDue(node, Date.parse(state.startedAt)) : undefined;
    case 'suspended':
      if (state.interrupt.timeoutMs === undefined) return undefined;
      return { at: Date.parse(state.interrupt.requestedAt) + state.interrupt.timeoutMs, what: 'time-out' };
    case 'retrying':
      return { at: Date.parse(state.since) + state.delayMs, what: 'retry' };
    case 'completed':
    case 'failed':
    case 'skipped':
    case 'cancelled':
      return undefined;
    default:
      return state satisfies never;
  }
}

/** A delay that ends at its node's time limit is in time, however late it is looked at. */
function delayDue({ settings }: WorkflowNode, startedAt: number, delayMs: number): Due {
  const timeout = settings?.timeout ?? 0;
  if (timeout > 0 && delayMs > timeout) return { at: startedAt + timeout + 1, what: 'time-out' };
  return { at: startedAt + delayMs, what: 'complete' };
}

function limitDue({ settings }: WorkflowNode, startedAt: number): Due | undefined {
  const timeout = settings?.timeout ?? 0;
  return timeout > 0 ? { at: startedAt + timeout + 1, what: 'time-out' } : undefined;
}
