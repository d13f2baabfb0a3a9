import type {
  JsonObject,
  NodeState,
  OpenInterrupt,
  RunError,
  SuspendKind,
  WorkflowRunState,
} from '@palimpsest/contracts';
import { nodeStateOf } from './node-state-of.js';
import type { DatedEvent } from './fold-workflow-run.js';

/** What each event of a node makes of its state. An event that does not fit the state changes nothing. */
type Node<Status extends NodeState['status']> = Extract<NodeState, { status: Status }>;
type Fold = (state: WorkflowRunState, event: DatedEvent) => WorkflowRunState;
type NodeFold = (before: NodeState | undefined, event: DatedEvent) => NodeState | undefined;

function onNode(fold: NodeFold): Fold {
  return (state, event) => {
    const nodeId = event.nodeId;
    if (nodeId === undefined) return state;
    const after = fold(nodeStateOf(state, nodeId), event);
    return after ? { ...state, nodes: { ...state.nodes, [nodeId]: after } } : state;
  };
}

function historyOf(before: NodeState | undefined): { attempt: number; suspensions: number } {
  return { attempt: before?.attempt ?? 0, suspensions: before?.suspensions ?? 0 };
}

const running = onNode((before, { payload, timestamp }) => ({
  status: 'running',
  attempt: Number(payload['attempt']),
  suspensions: historyOf(before).suspensions,
  startedAt: timestamp,
  ...(typeof payload['delayMs'] === 'number' && { delayMs: payload['delayMs'] }),
}));

export const started: Fold = (state, event) => ({
  ...running(state, event),
  nodeExecutions: state.nodeExecutions + 1,
});

export const completed = onNode((before, { payload }) => ({
  status: 'completed',
  ...historyOf(before),
  outputs: (payload['outputs'] ?? {}) as JsonObject,
}));

export const failed = onNode((before, { payload }) => ({
  status: 'failed',
  ...historyOf(before),
  error: payload['error'] as unknown as RunError,
}));

export const retried = onNode((before, { payload, timestamp }) => ({
  status: 'retrying',
  attempt: Number(payload['attempt']),
  suspensions: historyOf(before).suspensions,
  since: timestamp,
  delayMs: Number(payload['delayMs']),
}));

export const skipped = onNode((before, { payload }) => ({
  status: 'skipped',
  ...historyOf(before),
  reason: payload['reason'] as string,
}));

const nodeCancelled = onNode((before, { payload }) => ({
  status: 'cancelled',
  ...historyOf(before),
  reason: payload['reason'] as string,
}));

/** The first node that a run's end cancels says why the run ends: `run.failed` or `run.cancelled` may be batches away. */
export const cancelled: Fold = (state, event) => {
  const { failing, cancelling, reason } = event.payload;
  return {
    ...nodeCancelled(state, event),
    // A branch may leave its source between the nodes' cancellation and the run's: it is being cancelled, too.
    ...(reason === 'run-cancelled' && !state.cancelling && { cancelling: {} }),
    ...(failing !== undefined && { failing: failing as unknown as NonNullable<WorkflowRunState['failing']> }),
    ...(cancelling !== undefined && {
      cancelling: cancelling as NonNullable<WorkflowRunState['cancelling']>,
    }),
  };
};

export const interruptRequested = onNode((before, event) =>
  before?.status === 'running'
    ? { ...before, requested: openInterrupt(event), requestedSequence: event.sequence }
    : undefined,
);

function openInterrupt({ payload, timestamp }: DatedEvent): OpenInterrupt {
  const { resumeSchema, timeoutMs } = payload;
  return {
    interruptId: payload['key'] as string,
    key: payload['key'] as string,
    kind: payload['kind'] as SuspendKind,
    data: payload['data'] as JsonObject,
    requestedAt: timestamp,
    ...(resumeSchema !== undefined && { resumeSchema: resumeSchema as JsonObject }),
    ...(typeof timeoutMs === 'number' && { timeoutMs }),
  };
}

export const suspended = onNode((before) => {
  if (before?.status !== 'running' || !before.requested) return undefined;
  const { attempt, suspensions, startedAt, requested } = before;
  return { status: 'suspended', attempt, suspensions: suspensions + 1, startedAt, interrupt: requested };
});

export const interruptResolved = onNode((before, { payload, sequence }) => {
  if (before?.status !== 'suspended') return undefined;
  const { resumeValue, resolvedBy } = payload;
  const answer = {
    value: (resumeValue ?? null) as NonNullable<Node<'suspended'>['answer']>['value'],
    sequence,
    told: false,
    ...(typeof resolvedBy === 'string' && { resolvedBy }),
  };
  return { ...before, answer };
});

export const answerTold = onNode((before, { payload }) => {
  if (before?.status !== 'suspended') return undefined;
  if (payload['action'] === 'timeout') return { ...before, timedOut: true };
  return before.answer ? { ...before, answer: { ...before.answer, told: true } } : undefined;
});

export const resumed = onNode((before) => {
  if (before?.status !== 'suspended' || !before.answer) return undefined;
  const { attempt, suspensions, startedAt, interrupt, answer } = before;
  const value = { kind: interrupt.kind, value: answer.value };
  return { status: 'running', attempt, suspensions, startedAt, resumed: value };
});
