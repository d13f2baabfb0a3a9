import type { WorkflowRunState } from '@palimpsest/contracts';
import { nodeStateOf } from '../fold/node-state-of.js';
import { dueOf } from './node-deadlines.js';
import type { RunPlan } from './run-plan.js';

/** When time alone moves a waiting run: a node is due, or the run has been active for longer than it may. */
export function wakeTime(state: WorkflowRunState, plan: RunPlan): Date | undefined {
  const isEnding = state.ended ?? state.cancelling ?? state.failing;
  if (isEnding || state.lastSequence < (state.replayTarget ?? 0)) return undefined;
  let first = Infinity;
  if (state.activeSince !== undefined) {
    const left = state.bounds.maxRunDurationMs - state.activeMs;
    first = Date.parse(state.activeSince) + left + 1;
  }
  for (const node of plan.nodes) {
    const nodeState = nodeStateOf(state, node.id);
    const due = nodeState && dueOf(node, nodeState);
    if (due) first = Math.min(first, due.at);
  }
  return first === Infinity ? undefined : new Date(first);
}
