import type { CurrentDecision, NewRunEvent, NodeState, WorkflowNode } from '@palimpsest/contracts';
import type { Moment } from '../engine/moment.js';
import { completedNode, failedNode } from '../engine/node-end.js';
import { workOf } from '../engine/node-work.js';
import { expressionError, runError } from '../engine/run-errors.js';
import { requested } from '../engine/suspend-node.js';
import { dispatchConfigOf } from './dispatch-config.js';
import { nextOfHandOff } from './hand-off.js';
import { caused, questionOf } from './loop-node-events.js';

type Running = Extract<NodeState, { status: 'running' }>;

/**
 * The next event of a dispatch (host specification §5.3, §5.4); undefined while a child is started or works. All of them
 * are caused by the decision that it was started for.
 */
export function nextOfDispatch(node: WorkflowNode, state: Running, moment: Moment): NewRunEvent | undefined {
  const current = moment.state.loop?.current;
  if (!current?.handedOff) {
    const error = runError('no_pending_decision', 'There is no decision to hand off.');
    return failedNode(moment.plan, node, state, error);
  }
  const event = nextFor(current, { node, state, moment });
  if (!event || event.causationId !== undefined) return event;
  return caused(event, moment.runId, current.sequence);
}

export type Visit = { readonly node: WorkflowNode; readonly state: Running; readonly moment: Moment };

function nextFor({ decision }: CurrentDecision, visit: Visit): NewRunEvent | undefined {
  const { node, state, moment } = visit;
  switch (decision.kind) {
    case 'terminate':
      return completedNode(node, {});
    case 'ask-user':
      return ask(decision.prompt, visit);
    case 'next-worker': {
      const work = workOf(node, moment);
      if ('input' in work)
        return failedNode(moment.plan, node, state, expressionError({ input: work.input }));
      return nextOfHandOff(decision.nextWorkerIds, visit);
    }
    default:
      return decision satisfies never;
  }
}

function ask(prompt: string, { node, state, moment }: Visit): NewRunEvent {
  if (state.resumed) return completedNode(node, { answers: state.resumed.value });
  if (dispatchConfigOf(node).askUserRouting === 'conversation') {
    const error = runError('capability_required', 'This host does not hold conversations.', {
      requiredCapability: 'conversation',
    });
    return failedNode(moment.plan, node, state, error);
  }
  return requested(node, questionOf(prompt), { state, rootRunId: moment.state.rootRunId });
}
