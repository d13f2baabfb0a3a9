import type { NodeState, WorkflowRunState } from '@palimpsest/contracts';

/** The state with its clock started, stopped or left as it is: what an event at this time makes of it. */
export function withActiveTime(state: WorkflowRunState, timestamp: string): WorkflowRunState {
  const active = isActive(state);
  if (active === (state.activeSince !== undefined)) return state;
  if (active) return { ...state, activeSince: timestamp };
  const { activeSince: _stopped, ...rest } = state;
  return { ...rest, activeMs: activeMsAt(state, Date.parse(timestamp)) };
}

/** Milliseconds of active time up to `now`; a clock that went back counts as standing still. */
export function activeMsAt(state: WorkflowRunState, now: number): number {
  if (state.activeSince === undefined) return state.activeMs;
  return state.activeMs + Math.max(0, now - Date.parse(state.activeSince));
}

/** Only waiting for answers is no activity: a run with no open node has yet to start its next one. */
function isActive(state: WorkflowRunState): boolean {
  if (state.ended) return false;
  let waits = false;
  for (const id in state.nodes) {
    const node = state.nodes[id];
    if (node && works(node)) return true;
    waits ||= node?.status === 'suspended';
  }
  return !waits;
}

function works(node: NodeState): boolean {
  if (node.status === 'suspended') return node.answer !== undefined || node.timedOut === true;
  return node.status === 'running' || node.status === 'retrying';
}
