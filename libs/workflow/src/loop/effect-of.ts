import type { WorkerState, WorkflowNode, WorkflowRunState } from '@palimpsest/contracts';
import { workOf } from '../engine/node-work.js';
import { RunEdges } from '../engine/run-edges.js';
import type { RunPlan } from '../engine/run-plan.js';
import { nodeStateOf } from '../fold/node-state-of.js';
import { questionOf } from '../models/model-node.js';
import { isModelNode } from '../models/model-node-types.js';
import { childrenOf } from './children.js';
import { mapped } from './dispatch-config.js';
import type { Effect } from './effects.js';
import { scriptedTurn } from './supervisor-config.js';
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
  return ofSupervisor(place) ?? ofModelNode(place) ?? ofDispatch(place);
}

function runningNode({ plan, state }: Place, nodeId: string | undefined): WorkflowNode | undefined {
  if (nodeId === undefined || nodeStateOf(state, nodeId)?.status !== 'running') return undefined;
  return plan.nodes[plan.place(nodeId) ?? -1];
}

function ofSupervisor(place: Place): Effect | undefined {
  const { plan, state } = place;
  const { loop } = state;
  const node = runningNode(place, plan.loop.supervisorId);
  if (!node || !loop || loop.current || loop.held) return undefined;
  const iteration = loop.iteration + 1;
  if (scriptedTurn(node.config, iteration)) return undefined;
  const work = workOf(node, { plan, state, edges: new RunEdges(plan) });
  if ('input' in work) return undefined;
  return {
    kind: 'decide',
    nodeId: node.id,
    iteration,
    agent: loop.agent,
    config: node.config,
    inputs: work.inputs,
  };
}

function ofModelNode({ plan, state }: Place): Effect | undefined {
  for (const node of plan.nodes) {
    const nodeState = isModelNode(node.typeId) ? nodeStateOf(state, node.id) : undefined;
    if (nodeState?.status !== 'running') continue;
    const question = questionOf(node, nodeState, { plan, state, edges: new RunEdges(plan) });
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
