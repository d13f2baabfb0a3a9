import type { WorkerState, WorkflowNode, WorkflowRunState } from '@palimpsest/contracts';
import { sideEffectOf } from '../effects/side-effect-node.js';
import type { RunPlan } from '../engine/run-plan.js';
import { childrenOf } from './children.js';
import { mapped } from './dispatch-config.js';
import type { Effect } from './effects.js';
import { nodeQuestion, runningNode, supervisorQuestion } from './model-question.js';
import { inputMappingOf, outputMappingOf } from './worker-mappings.js';

type Place = {
  readonly plan: RunPlan;
  readonly state: WorkflowRunState;
  readonly childRunIdOf: (began: number) => string;
};

/**
 * What a run at rest needs from outside, as its state alone tells; undefined where only time or an answer moves it. What
 * can be done now comes before what has to be waited for: other nodes may be at work beside a dispatch.
 */
export function effectOf(place: Place): Effect | undefined {
  const { state } = place;
  if (state.ended || state.lastSequence < (state.replayTarget ?? 0)) return undefined;
  if (state.cancelling || state.failing) {
    const childRunIds = childrenOf(state, place.childRunIdOf);
    return childRunIds.length > 0 ? { kind: 'end-children', childRunIds } : undefined;
  }
  return (
    supervisorQuestion(place) ?? sideEffectOf(place.plan, state) ?? ofModelNode(place) ?? ofDispatch(place)
  );
}

function ofModelNode(place: Place): Effect | undefined {
  for (const node of place.plan.nodes) {
    const question = nodeQuestion(place, node);
    if (question) return question;
  }
  return undefined;
}

function ofDispatch(place: Place): Effect | undefined {
  const node = runningNode(place, place.plan.loop.dispatchId);
  const worker = place.state.loop?.worker;
  if (!node || !worker) return undefined;
  const { workerId, phase, childStatus } = worker;
  if (phase === 'began') {
    const childRunId = place.childRunIdOf(worker.began);
    const inputs = mapped(inputMappingOf(worker, node), place.state.variables);
    return { kind: 'start-child', nodeId: node.id, workerId, childRunId, inputs };
  }
  if (phase !== 'dispatched' && !(childStatus === 'completed' && isAskedAgain(worker, node, place)))
    return undefined;
  return { kind: 'await-child', nodeId: node.id, childRunId: worker.childRunId ?? '' };
}

/** Of a child that has ended: what it leaves is not all on the log yet. */
function isAskedAgain(worker: WorkerState, node: WorkflowNode, { plan }: Place): boolean {
  const { phase } = worker;
  if (phase === 'ended') return plan.isModelLoop || outputMappingOf(worker, node).length > 0;
  return phase === 'harvested' && plan.isModelLoop;
}
