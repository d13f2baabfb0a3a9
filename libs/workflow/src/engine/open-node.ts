import {
  APPROVAL_RECEIVED,
  type NewRunEvent,
  type NodeState,
  type WorkflowNode,
} from '@palimpsest/contracts';
import { nextOfSideEffect } from '../effects/side-effect-node.js';
import { isAnsweredOutside, SIDE_EFFECT } from '../effects/side-effect-type.js';
import { resumedEvent, toldEvent } from '../interrupts/answer-events.js';
import { nextOfDispatch } from '../loop/dispatch.js';
import { DISPATCH, SUPERVISOR } from '../loop/loop-types.js';
import { nextOfSupervisor } from '../loop/supervisor.js';
import { nextOfModelNode } from '../models/model-node.js';
import type { Moment } from './moment.js';
import { nodeEvent } from './new-events.js';
import { dueOf } from './node-deadlines.js';
import { completedNode, failedNode } from './node-end.js';
import { outcomeOf } from './node-outcome.js';
import { runError } from './run-errors.js';
import { startedNode } from './start-node.js';
import { requested, suspended } from './suspend-node.js';

type OneOf<Status extends NodeState['status']> = Extract<NodeState, { status: Status }>;

/** The next event of a node that was started and is not at its end; undefined while it waits. */
export function nextOfOpenNode(
  node: WorkflowNode,
  state: NodeState,
  moment: Moment,
): NewRunEvent | undefined {
  switch (state.status) {
    case 'running':
      return nextOfRunning(node, state, moment);
    case 'suspended':
      return nextOfSuspended(node, state, moment);
    case 'retrying':
      return isDue(node, state, moment) ? startedNode(node, state.attempt, moment) : undefined;
    case 'completed':
    case 'failed':
    case 'skipped':
    case 'cancelled':
      return undefined;
    default:
      return state satisfies never;
  }
}

function isDue(node: WorkflowNode, state: NodeState, { now }: Moment): boolean {
  return now >= (dueOf(node, state)?.at ?? Infinity);
}

function nextOfRunning(node: WorkflowNode, state: OneOf<'running'>, moment: Moment): NewRunEvent | undefined {
  if (state.requested) return suspended(node, { ...state, requested: state.requested }, moment);
  if (state.delayMs !== undefined) return nextOfDelay(node, state, moment);
  if (node.typeId === SUPERVISOR) return nextOfSupervisor(node, state, moment);
  if (node.typeId === DISPATCH) return nextOfDispatch(node, state, moment);
  if (isAnsweredOutside(node.typeId)) return nextOfAnswered(node, state, moment);
  const outcome = outcomeOf(node, moment, state.resumed);
  switch (outcome.kind) {
    case 'complete':
      return completedNode(node, outcome.outputs);
    case 'fail':
      return failedNode(moment.plan, node, state, outcome.error);
    case 'suspend':
      return requested(node, outcome.request, { state, rootRunId: moment.state.rootRunId });
    case 'sleep':
      // Its start would hold its length: this log was written by another engine.
      return failedNode(moment.plan, node, state, runError('invalid_delay', 'The delay has no length.'));
    default:
      return outcome satisfies never;
  }
}

function nextOfAnswered(
  node: WorkflowNode,
  state: OneOf<'running'>,
  moment: Moment,
): NewRunEvent | undefined {
  if (isDue(node, state, moment)) return overdue(node, state, moment);
  const nextOf = node.typeId === SIDE_EFFECT ? nextOfSideEffect : nextOfModelNode;
  return nextOf(node, state, moment);
}

function nextOfDelay(node: WorkflowNode, state: OneOf<'running'>, moment: Moment): NewRunEvent | undefined {
  if (!isDue(node, state, moment)) return undefined;
  return dueOf(node, state)?.what === 'complete' ? completedNode(node, {}) : overdue(node, state, moment);
}

function overdue(node: WorkflowNode, state: NodeState, moment: Moment): NewRunEvent {
  const message = `The node ran for longer than its limit of ${node.settings?.timeout ?? 0} ms.`;
  return failedNode(moment.plan, node, state, runError('node_timeout', message));
}

function nextOfSuspended(
  node: WorkflowNode,
  state: OneOf<'suspended'>,
  moment: Moment,
): NewRunEvent | undefined {
  const { interrupt, answer } = state;
  if (answer) {
    const told = answer.told ? undefined : toldEvent(node.id, interrupt, answer);
    const cause = { runId: moment.runId, sequence: answer.sequence };
    return told ?? resumedEvent(node.id, interrupt, { value: answer.value, cause });
  }
  if (state.timedOut) return timedOut(node, state, moment);
  if (!isDue(node, state, moment)) return undefined;
  if (interrupt.kind !== 'approval') return timedOut(node, state, moment);
  return nodeEvent(APPROVAL_RECEIVED, node.id, { action: 'timeout' });
}

function timedOut(node: WorkflowNode, state: NodeState, { plan }: Moment): NewRunEvent {
  return failedNode(plan, node, state, runError('interrupt_timeout', 'Nobody answered in time.'));
}
