import type { NewRunEvent, WorkflowDefinition, WorkflowRunState } from '@palimpsest/contracts';
import { effectClassOf } from '../effects/effect-class.js';
import { nodeStateOf } from '../fold/node-state-of.js';
import type { Redact } from './node-work.js';
import { nextOfOpenNode } from './open-node.js';
import { RunEdges } from './run-edges.js';
import { planOf } from './run-plan.js';

export type ReExecution = {
  readonly runId: string;
  readonly definition: WorkflowDefinition;
  /** Of the run right before the node ended. */
  readonly state: WorkflowRunState;
  readonly nodeId: string;
  readonly redact: Redact;
};

/** Later than anything a node waits for. An instant, unlike infinity, is not reached by what has no time. */
const WHEN_ALL_IS_DUE = Number.MAX_SAFE_INTEGER;

/** Whether a node is executed again in a replay: its outcome is a function of what is on the log before. */
export function isReExecuted({ nodes }: WorkflowDefinition, nodeId: string): boolean {
  const node = nodes.find(({ id }) => id === nodeId);
  return node !== undefined && effectClassOf(node.typeId) !== 'recorded';
}

/**
 * What the engine decides about a node that {@link isReExecuted} where its source recorded an end: the same end, unless one
 * of the two is wrong. Undefined where it would still wait. Time has passed, and answers were given, as the log says.
 */
export function reExecuted({
  runId,
  definition,
  state,
  nodeId,
  redact,
}: ReExecution): NewRunEvent | undefined {
  const plan = planOf(definition);
  const node = plan.nodes[plan.place(nodeId) ?? -1];
  const nodeState = nodeStateOf(state, nodeId);
  if (!node || !nodeState) return undefined;
  return nextOfOpenNode(node, nodeState, {
    plan,
    edges: new RunEdges(plan),
    state,
    head: state.lastSequence,
    redact,
    runId,
    recordedAs: runId,
    now: WHEN_ALL_IS_DUE,
    childRunIdOf: () => '',
  });
}
