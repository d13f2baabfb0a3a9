import {
  APPROVAL_RECEIVED,
  CAP_BREACHED,
  CONFIDENCE_ESCALATED,
  CLARIFICATION_RESOLVED,
  INTERRUPT_REQUESTED,
  INTERRUPT_RESOLVED,
  NODE_CANCELLED,
  NODE_COMPLETED,
  NODE_DISPATCHED,
  NODE_FAILED,
  NODE_RESUMED,
  NODE_RETRIED,
  NODE_SKIPPED,
  NODE_STARTED,
  NODE_SUSPENDED,
  ORCHESTRATOR_DECIDED,
  PIN_ADDED,
  PIN_REMOVED,
  pinsAfter,
  replayFlagsMember,
  RUN_CANCELLED,
  RUN_CANCELLING,
  RUN_COMPLETED,
  RUN_FAILED,
  RUN_OVERLAID,
  RUN_STARTED,
  VARIABLE_CHANGED,
  WORKER_RETURNED,
  WORKFLOW_CHAIN_EVENT,
  type JsonObject,
  type NewRunEvent,
  type PlacedEvent,
  type RunError,
  type RunOverlaid,
  type WorkflowRunState,
  type WorkflowStarted,
} from '@palimpsest/contracts';
import { withActiveTime } from './active-time.js';
import { errorOfBreach } from './breach-errors.js';
import * as loop from './fold-loop.js';
import * as node from './fold-node.js';

/** An event at its place and time: recorded, or about to be. `timestamp` is ISO 8601. */
export type DatedEvent = PlacedEvent & { readonly timestamp: string };

/** The state of a run right after `run.started`. */
export function startedWorkflowRun(payload: WorkflowStarted, timestamp: string): WorkflowRunState {
  const { workflowDigest, rootRunId, inputs, defaults, bounds } = payload;
  const { configurable, tags, metadata, scopeId, context, parentRunId, depth, replayFlags } = payload;
  return {
    kind: 'workflow',
    workflowDigest,
    rootRunId,
    inputs,
    variables: { ...defaults, ...inputs },
    bounds,
    nodes: {},
    lastSequence: 0,
    nodeExecutions: 0,
    activeMs: 0,
    activeSince: timestamp,
    children: [],
    ...(context && { context }),
    ...(configurable && { configurable }),
    ...(tags && { tags }),
    ...(metadata && { metadata }),
    ...(scopeId !== undefined && { scopeId }),
    ...(parentRunId !== undefined && { parentRunId }),
    ...(depth !== undefined && { depth }),
    ...replayFlagsMember(replayFlags),
  };
}

/** The state after an event; `undefined` before `run.started`. Pure: whoever appends writes the header with this. */
export function foldWorkflowRun(state: WorkflowRunState | undefined, event: DatedEvent): WorkflowRunState {
  if (!state || event.type === RUN_STARTED) return begun(state, event);
  const after = { ...changed(state, event), lastSequence: event.sequence };
  return withActiveTime(after, event.timestamp);
}

function begun(state: WorkflowRunState | undefined, event: DatedEvent): WorkflowRunState {
  // The log holds what its own schemas accepted; it is read back without checking it again.
  const started = startedWorkflowRun(event.payload as unknown as WorkflowStarted, event.timestamp);
  return state?.replayTarget === undefined ? started : { ...started, replayTarget: state.replayTarget };
}

type Fold = (state: WorkflowRunState, event: DatedEvent) => WorkflowRunState;

const FOLDS: Readonly<Record<string, Fold>> = {
  [NODE_STARTED]: (state, event) => loop.visited(node.started(state, event), event),
  [NODE_COMPLETED]: node.completed,
  [NODE_FAILED]: node.failed,
  [NODE_RETRIED]: node.retried,
  [NODE_SKIPPED]: node.skipped,
  [NODE_CANCELLED]: node.cancelled,
  [INTERRUPT_REQUESTED]: (state, event) => loop.asked(node.interruptRequested(state, event), event),
  [NODE_SUSPENDED]: node.suspended,
  [INTERRUPT_RESOLVED]: node.interruptResolved,
  [APPROVAL_RECEIVED]: node.answerTold,
  [CLARIFICATION_RESOLVED]: node.answerTold,
  [NODE_RESUMED]: node.resumed,
  [NODE_DISPATCHED]: loop.dispatched,
  [WORKFLOW_CHAIN_EVENT]: loop.chained,
  [ORCHESTRATOR_DECIDED]: loop.decided,
  [CONFIDENCE_ESCALATED]: loop.escalated,
  [VARIABLE_CHANGED]: loop.variableChanged,
  [WORKER_RETURNED]: loop.returned,
  [RUN_OVERLAID]: overlaid,
  [PIN_ADDED]: pinned,
  [PIN_REMOVED]: pinned,
  [RUN_CANCELLING]: (state, { payload }) => ({
    ...state,
    cancelling: payload,
  }),
  [CAP_BREACHED]: breached,
  [RUN_COMPLETED]: (state, { payload }) => ({
    ...ended(state, 'completed'),
    outputs: payload['outputs'] as JsonObject,
  }),
  [RUN_FAILED]: (state, { payload }) => ({
    ...ended(state, 'failed'),
    error: payload['error'] as unknown as RunError,
  }),
  [RUN_CANCELLED]: (state) => ended(state, 'cancelled'),
};

function changed(state: WorkflowRunState, event: DatedEvent): WorkflowRunState {
  const fold = Object.hasOwn(FOLDS, event.type) ? FOLDS[event.type] : undefined;
  return fold ? fold(state, event) : state;
}

/** A branch runs on under other settings. Its transcript is counted by its windows, so its state has no use for those counts. */
function overlaid(state: WorkflowRunState, { payload }: DatedEvent): WorkflowRunState {
  const { context, configurable, tags, metadata, bounds, pins } = payload as RunOverlaid;
  return {
    ...state,
    ...(context && { context }),
    ...(configurable && { configurable }),
    ...(tags && { tags }),
    ...(metadata && { metadata }),
    ...(bounds && { bounds }),
    ...(pins && { pins }),
  };
}

/** Counted in the unit of the run's windows; a run without windows takes no pins. */
function pinned(state: WorkflowRunState, event: DatedEvent): WorkflowRunState {
  if (!state.context) return state;
  const { pins, ...rest } = state;
  return { ...rest, ...pinsAfter(pins, event, state.context.tokenCounter) };
}

function breached(state: WorkflowRunState, { payload }: DatedEvent): WorkflowRunState {
  const failing = errorOfBreach(payload);
  return failing ? { ...state, failing } : state;
}

function ended(state: WorkflowRunState, how: 'completed' | 'failed' | 'cancelled'): WorkflowRunState {
  const { failing: _failing, cancelling: _cancelling, ...rest } = state;
  return { ...rest, ended: how };
}

export type { NewRunEvent };
