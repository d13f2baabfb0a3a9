import type {
  AgentRef,
  JsonObject,
  JsonValue,
  NodeState,
  OpenInterrupt,
  RunHeader,
  WorkflowRunState,
} from '@palimpsest/contracts';
import {
  nodeStateOf,
  openInterruptOf,
  waitingNode,
  workflowStateOf,
  type WaitingNode,
} from '@palimpsest/workflow';

/** What a snapshot tells of a run that the host executes (host specification §3.3). */
export type WorkflowPart = {
  readonly currentNodeId?: string;
  readonly inputs: JsonObject;
  readonly variables: JsonObject;
  readonly channels: JsonObject;
  readonly nodeStates: JsonObject;
  readonly outputs?: JsonObject;
  readonly error?: JsonObject;
  readonly configurable?: JsonObject;
  readonly tags?: readonly string[];
  readonly metadata?: JsonObject;
  readonly scopeId?: string;
  readonly parentRunId?: string;
  /** Who decides in this run, once its supervisor was visited: never another one. */
  readonly agent?: AgentRef;
  readonly runOrchestrator?: AgentRef;
};

export function workflowPart(state: WorkflowRunState): WorkflowPart {
  const { inputs, variables, outputs } = state;
  const nodeStates = Object.entries(state.nodes).map(([nodeId, node]) => [nodeId, shownNode(node)] as const);
  return {
    ...workflowSummary(state),
    inputs,
    variables,
    channels: {},
    nodeStates: Object.fromEntries(nodeStates),
    ...(outputs && { outputs }),
    ...shownConfigurable(state),
    ...(state.metadata && { metadata: state.metadata }),
  };
}

/** With the settings of the windows in effect, as on an own loop's snapshot. */
function shownConfigurable({ configurable, context }: WorkflowRunState): Pick<WorkflowPart, 'configurable'> {
  if (!configurable && !context) return {};
  return { configurable: { ...configurable, ...(context && { context: { ...context } as JsonObject }) } };
}

export function workflowSummary(state: WorkflowRunState): Partial<WorkflowPart> {
  const { tags, scopeId, parentRunId, loop } = state;
  const currentNodeId = currentNodeOf(state);
  return {
    ...(currentNodeId !== undefined && { currentNodeId }),
    ...(state.error && { error: closedError(state.error) }),
    ...(tags && { tags }),
    ...(scopeId !== undefined && { scopeId }),
    ...(parentRunId !== undefined && { parentRunId }),
    ...(loop && { agent: loop.agent, runOrchestrator: loop.agent }),
  };
}

/** What a run waits for. A replay waits for nothing: it repeats the answers that were given. */
export function awaitedOf(run: Pick<RunHeader, 'state' | 'origin'>): WaitingNode | undefined {
  const state = workflowStateOf(run.state);
  return state && run.origin?.mode !== 'replay' ? waitingNode(state) : undefined;
}

/** The interrupt of a node that takes an answer. */
export function openInterruptAt(
  run: Pick<RunHeader, 'state' | 'origin'>,
  nodeId: string,
): OpenInterrupt | undefined {
  const state = workflowStateOf(run.state);
  if (!state || state.ended || run.origin?.mode === 'replay') return undefined;
  return openInterruptOf(nodeStateOf(state, nodeId));
}

/** A node that waits for an answer says more than one at work. */
function currentNodeOf(state: WorkflowRunState): string | undefined {
  const firstIn = (status: NodeState['status']): string | undefined =>
    Object.entries(state.nodes).find(([, node]) => node.status === status)?.[0];
  return waitingNode(state)?.nodeId ?? firstIn('running') ?? firstIn('retrying');
}

function shownNode(node: NodeState): JsonObject {
  const common = { status: node.status, attempt: node.attempt };
  switch (node.status) {
    case 'running':
      return { ...common, startedAt: node.startedAt };
    case 'suspended': {
      const { interruptId, kind } = node.interrupt;
      return { ...common, startedAt: node.startedAt, interruptId, kind };
    }
    case 'retrying':
      return { ...common, delayMs: node.delayMs };
    case 'completed':
      return { ...common, outputs: node.outputs };
    case 'failed':
      return { ...common, error: closedError(node.error) };
    case 'skipped':
    case 'cancelled':
      return { ...common, reason: node.reason };
    default:
      return node satisfies never;
  }
}

/** The error object of events is open; that of a snapshot is not. */
function closedError(error: {
  readonly code: string;
  readonly message: string;
  readonly details?: unknown;
}): JsonObject {
  const { code, message, details } = error;
  return { code, message, ...(details !== undefined && { details: details as JsonValue }) };
}
