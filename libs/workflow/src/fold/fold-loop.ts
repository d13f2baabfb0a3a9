import type {
  AgentRef,
  JsonObject,
  JsonValue,
  LoopState,
  OrchestratorDecision,
  RunError,
  WorkerState,
  WorkflowRunState,
} from '@palimpsest/contracts';
import { DISPATCH, SUPERVISOR } from '../loop/loop-types.js';
import type { DatedEvent } from './fold-workflow-run.js';

/** What events make of the execution loop. One that does not fit the state changes nothing. */
type Fold = (state: WorkflowRunState, event: DatedEvent) => WorkflowRunState;

/** A visit of the supervisor begins a turn; one of the dispatch takes the decision. */
export const visited: Fold = (state, { payload }) => {
  if (payload['typeId'] === SUPERVISOR) {
    const agent = state.loop?.agent ?? (payload['agent'] as unknown as AgentRef);
    return { ...state, loop: { agent, iteration: state.loop?.iteration ?? 0 } };
  }
  const { loop } = state;
  if (payload['typeId'] !== DISPATCH || !loop?.current) return state;
  const { worker: _former, ...rest } = loop;
  return { ...state, loop: { ...rest, current: { ...loop.current, handedOff: true } } };
};

export const decided: Fold = (state, { payload, sequence }) => {
  const { agentId, decision, iteration } = payload;
  const loop: LoopState = {
    agent: state.loop?.agent ?? { agentId: agentId as string },
    iteration: Number(iteration),
    current: { sequence, decision: decision as unknown as OrchestratorDecision, handedOff: false },
  };
  return { ...state, loop };
};

export const escalated: Fold = (state, { payload }) => held(state, payload['originalDecision']);

/** A decision of low confidence is held from when somebody is asked to ratify it. */
export const asked: Fold = (state, { payload }) => {
  if (payload['kind'] !== 'low-confidence') return state;
  return held(state, (payload['data'] as JsonObject)['decision']);
};

function held(state: WorkflowRunState, decision: JsonValue | undefined): WorkflowRunState {
  if (!state.loop || decision === undefined) return state;
  return { ...state, loop: { ...state.loop, held: decision as unknown as OrchestratorDecision } };
}

export const dispatched: Fold = (state, { payload }) => {
  const child = payload['childRunId'] as string;
  const withChild = state.children.includes(child)
    ? state
    : { ...state, children: [...state.children, child] };
  return onWorker(withChild, (worker) => ({ ...worker, phase: 'dispatched' }));
};

/** What a worker returned is read on the log; the state keeps that it was told. */
export const returned: Fold = (state) => onWorker(state, (worker) => ({ ...worker, phase: 'returned' }));

export const variableChanged: Fold = (state, { payload }) => {
  const name = payload['name'] as string;
  const variables = { ...state.variables, [name]: payload['next'] as JsonValue };
  return onWorker({ ...state, variables }, (worker) => ({
    ...worker,
    harvested: [...worker.harvested, name],
  }));
};

export const chained: Fold = (state, event) => {
  const { phase, childRunId, error } = event.payload;
  const { sequence } = event;
  const child = childRunId as string;
  switch (phase) {
    case 'dispatch.began':
      return begun(state, event);
    case 'dispatch.failed':
      return onWorker(state, (worker) => ({
        ...worker,
        phase: 'refused',
        error: error as unknown as RunError,
      }));
    case 'dispatch.succeeded':
      return onWorker(started(state, child), (worker) => ({
        ...worker,
        phase: 'succeeded',
        succeeded: sequence,
        childRunId: child,
      }));
    case 'output.harvested':
      return onWorker(state, (worker) => ({ ...worker, phase: 'harvested' }));
    case 'child.completed':
      return childEnded(state, event, 'completed');
    case 'child.failed':
      return childEnded(state, event, 'failed');
    case 'child.cancelled':
      return childEnded(state, event, 'cancelled');
    default:
      return state;
  }
};

function begun(state: WorkflowRunState, { payload, sequence }: DatedEvent): WorkflowRunState {
  if (!state.loop) return state;
  const place = state.loop.worker ? state.loop.worker.place + 1 : 0;
  const workerId = payload['workerId'] as string;
  const worker: WorkerState = { place, workerId, phase: 'began', began: sequence, harvested: [] };
  return { ...state, loop: { ...state.loop, worker } };
}

/** Only where the dispatch told of it: a log of another kind names its children with `node.dispatched` alone. */
function started(state: WorkflowRunState, child: string): WorkflowRunState {
  if (!state.loop?.worker || state.children.includes(child)) return state;
  return { ...state, children: [...state.children, child] };
}

function childEnded(
  state: WorkflowRunState,
  { payload, sequence }: DatedEvent,
  childStatus: NonNullable<WorkerState['childStatus']>,
): WorkflowRunState {
  const { childRunId, error } = payload;
  const children = state.children.filter((child) => child !== childRunId);
  return onWorker({ ...state, children }, (worker) => ({
    ...worker,
    phase: 'ended',
    ended: sequence,
    childStatus,
    ...(error !== undefined && { error: error as unknown as RunError }),
  }));
}

function onWorker(state: WorkflowRunState, change: (worker: WorkerState) => WorkerState): WorkflowRunState {
  if (!state.loop?.worker) return state;
  return { ...state, loop: { ...state.loop, worker: change(state.loop.worker) } };
}
