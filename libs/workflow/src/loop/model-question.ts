import type { WorkflowDefinition, WorkflowNode, WorkflowRunState } from '@palimpsest/contracts';
import { workOf } from '../engine/node-work.js';
import { RunEdges } from '../engine/run-edges.js';
import { planOf, type RunPlan } from '../engine/run-plan.js';
import { nodeStateOf } from '../fold/node-state-of.js';
import { questionOf } from '../models/model-node.js';
import { isModelNode } from '../models/model-node-types.js';
import type { Effect } from './effects.js';
import { scriptedTurn } from './supervisor-config.js';

type Place = { readonly plan: RunPlan; readonly state: WorkflowRunState };

/** What a model is asked: for a turn, or for a node of the type `core.ai.*`. */
export type ModelQuestion = Extract<Effect, { kind: 'decide' | 'ask-model' }>;

/** What a model is asked for a node, as a state of its run tells; undefined where it is asked nothing. */
export function modelQuestionOf(
  definition: WorkflowDefinition,
  state: WorkflowRunState,
  nodeId: string,
): ModelQuestion | undefined {
  const place = { plan: planOf(definition), state };
  if (place.plan.loop.supervisorId === nodeId) return supervisorQuestion(place);
  const node = runningNode(place, nodeId);
  return node && nodeQuestion(place, node);
}

export function runningNode({ plan, state }: Place, nodeId: string | undefined): WorkflowNode | undefined {
  if (nodeId === undefined || nodeStateOf(state, nodeId)?.status !== 'running') return undefined;
  return plan.nodes[plan.place(nodeId) ?? -1];
}

export function supervisorQuestion({ plan, state }: Place): ModelQuestion | undefined {
  const { loop } = state;
  const node = runningNode({ plan, state }, plan.loop.supervisorId);
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

export function nodeQuestion({ plan, state }: Place, node: WorkflowNode): ModelQuestion | undefined {
  const nodeState = isModelNode(node.typeId) ? nodeStateOf(state, node.id) : undefined;
  if (nodeState?.status !== 'running') return undefined;
  return questionOf(node, nodeState, { plan, state, edges: new RunEdges(plan) });
}
