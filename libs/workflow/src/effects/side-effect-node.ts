import type { NewRunEvent, NodeState, WorkflowNode, WorkflowRunState } from '@palimpsest/contracts';
import type { Moment } from '../engine/moment.js';
import { completedNode, failedNode } from '../engine/node-end.js';
import { recordable } from '../engine/node-outcome.js';
import type { RunPlan } from '../engine/run-plan.js';
import { nodeStateOf } from '../fold/node-state-of.js';
import type { Effect } from '../loop/effects.js';
import { SIDE_EFFECT } from './side-effect-type.js';

type Running = Extract<NodeState, { status: 'running' }>;

/** The next event of a node whose effect is being performed; undefined until that is done. */
export function nextOfSideEffect(
  node: WorkflowNode,
  { attempt, ...state }: Running,
  { plan, outcome, redact }: Moment,
): NewRunEvent | undefined {
  const isOurs = outcome?.kind === 'performed' || outcome?.kind === 'not-performed';
  if (!isOurs || outcome.nodeId !== node.id || outcome.attempt !== attempt) return undefined;
  const done = recordable(
    outcome.kind === 'performed'
      ? { kind: 'complete', outputs: outcome.outputs }
      : { kind: 'fail', error: outcome.error },
    redact,
  );
  if (done.kind === 'complete') return completedNode(node, done.outputs);
  return done.kind === 'fail' ? failedNode(plan, node, { ...state, attempt }, done.error) : undefined;
}

/** The first node that waits for its effect. */
export function sideEffectOf(plan: RunPlan, state: WorkflowRunState): Effect | undefined {
  for (const { id, typeId } of plan.nodes) {
    const nodeState = typeId === SIDE_EFFECT ? nodeStateOf(state, id) : undefined;
    if (nodeState?.status === 'running')
      return { kind: 'perform', nodeId: id, typeId, attempt: nodeState.attempt };
  }
  return undefined;
}
