import type { NodeState, WorkflowRunState } from '@palimpsest/contracts';
import { nodeStateOf } from '../fold/node-state-of.js';
import type { LoopPlan } from './loop-plan.js';

/** Whether a node of the loop that completed is to be visited again: the dispatch for a decision, the supervisor after it. */
export function isNextInLoop(loop: LoopPlan, nodeId: string, state: WorkflowRunState): boolean {
  const current = state.loop?.current;
  if (!loop.isLooping || !current || current.decision.kind === 'terminate') return false;
  if (statusOf(state, loop.supervisorId) !== 'completed') return false;
  if (statusOf(state, loop.dispatchId) !== 'completed') return false;
  return nodeId === (current.handedOff ? loop.supervisorId : loop.dispatchId);
}

/** A dispatch that the loop ended without: its supervisor terminated before it was ever needed. */
export function isLeftOut(loop: LoopPlan, nodeId: string, state: WorkflowRunState): boolean {
  return nodeId === loop.dispatchId && loop.isLinked && hasTerminated(loop, state);
}

/** No turn follows: nodes after the loop may start. */
export function isLoopOver(loop: LoopPlan, state: WorkflowRunState): boolean {
  const isDone = (nodeId?: string) => ENDED_OTHERWISE.includes(statusOf(state, nodeId));
  return hasTerminated(loop, state) || isDone(loop.supervisorId) || isDone(loop.dispatchId);
}

const ENDED_OTHERWISE: readonly (NodeState['status'] | undefined)[] = ['failed', 'skipped', 'cancelled'];

function hasTerminated(loop: LoopPlan, state: WorkflowRunState): boolean {
  return (
    state.loop?.current?.decision.kind === 'terminate' && statusOf(state, loop.supervisorId) === 'completed'
  );
}

function statusOf(state: WorkflowRunState, nodeId?: string): NodeState['status'] | undefined {
  return nodeId === undefined ? undefined : nodeStateOf(state, nodeId)?.status;
}
