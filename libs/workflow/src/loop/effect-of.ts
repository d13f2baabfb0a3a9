import type { WorkflowNode, WorkflowRunState } from '@palimpsest/contracts';
import { workOf } from '../engine/node-work.js';
import { RunEdges } from '../engine/run-edges.js';
import type { RunPlan } from '../engine/run-plan.js';
import { nodeStateOf } from '../fold/node-state-of.js';
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

/** What a run at rest needs from outside, as its state alone tells; undefined where only time or an answer moves it. */
export function effectOf(place: Place): Effect | undefined {
  const { state } = place;
  if (state.ended || state.lastSequence < (state.replayTarget ?? 0)) return undefined;
  if (state.cancelling || state.failing) {
    const childRunIds = childrenOf(state, place.childRunIdOf);
    return childRunIds.length > 0 ? { kind: 'end-children', childRunIds } : undefined;
  }
  return ofSupervisor(place) ?? ofDispatch(place);
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
  return { kind: 'decide', nodeId: node.id, iteration, agent: loop.agent, inputs: work.inputs };
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
  const hasHarvest = childStatus === 'completed' && outputMappingOf(worker, node).length > 0;
  if (phase !== 'dispatched' && !(phase === 'ended' && hasHarvest)) return undefined;
  return { kind: 'await-child', nodeId: node.id, childRunId: worker.childRunId ?? '' };
}
