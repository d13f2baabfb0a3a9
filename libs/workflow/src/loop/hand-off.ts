import {
  NODE_DISPATCHED,
  VARIABLE_CHANGED,
  type NewRunEvent,
  type RunError,
  type WorkerState,
} from '@palimpsest/contracts';
import { OUTPUT_BYTES } from '../engine/engine-limits.js';
import { jsonBytes } from '../engine/json-size.js';
import { nodeEvent } from '../engine/new-events.js';
import { completedNode, failedNode } from '../engine/node-end.js';
import { runError } from '../engine/run-errors.js';
import type { Visit } from './dispatch.js';
import { dispatchConfigOf, mapped } from './dispatch-config.js';
import type { EffectOutcome } from './effects.js';
import { chainEvent, caused, closedEvent } from './loop-node-events.js';
import { outputMappingOf } from './worker-mappings.js';
import { workerReturned } from './worker-returned.js';

type Outcome<Kind extends EffectOutcome['kind']> = Extract<EffectOutcome, { kind: Kind }>;

/** One worker after the other, each to its end (host specification §5.4). */
export function nextOfHandOff(workerIds: readonly string[], visit: Visit): NewRunEvent | undefined {
  const worker = visit.moment.state.loop?.worker;
  if (!worker) return first(workerIds, visit);
  switch (worker.phase) {
    case 'began':
      return started(worker, visit);
    case 'refused':
      return failed(visit, worker.error ?? runError('dispatch_failed', 'The worker could not be started.'));
    case 'succeeded':
      return closedEvent(NODE_DISPATCHED, visit.node, {
        childRunId: worker.childRunId,
        childWorkflowId: worker.workerId,
        childStatus: 'pending',
      });
    case 'dispatched':
      return ended(worker, visit);
    case 'ended':
      return harvest(worker, visit) ?? afterEnd(workerIds, worker, visit);
    case 'harvested':
    case 'returned':
      return tellOrGoOn(workerIds, worker, visit);
    default:
      return worker.phase satisfies never;
  }
}

function first(workerIds: readonly string[], visit: Visit): NewRunEvent {
  if (workerIds.length > 1 && dispatchConfigOf(visit.node).fanOutPolicy === 'reject') {
    return failed(visit, runError('fan_out_unsupported', 'The dispatch takes one worker at a time.'));
  }
  return began(workerIds[0] ?? '', visit);
}

function began(workerId: string, { node, moment }: Visit): NewRunEvent {
  const decision = moment.state.loop?.current?.sequence ?? 0;
  const payload = { phase: 'dispatch.began', workerId, parentRunId: moment.recordedAs } as const;
  return chainEvent(node, payload, { runId: moment.runId, causedBy: decision });
}

function started({ workerId, began: place }: WorkerState, { node, moment }: Visit): NewRunEvent | undefined {
  const { outcome, runId, recordedAs: parentRunId } = moment;
  const childRunId = moment.childRunIdOf(place);
  if (outcome?.kind === 'child-started' && outcome.childRunId === childRunId) {
    return chainEvent(
      node,
      { phase: 'dispatch.succeeded', workerId, parentRunId, childRunId },
      { runId, causedBy: place },
    );
  }
  if (outcome?.kind === 'child-refused' && outcome.childRunId === childRunId) {
    const { error } = outcome;
    return chainEvent(
      node,
      { phase: 'dispatch.failed', workerId, parentRunId, error },
      { runId, causedBy: place },
    );
  }
  return undefined;
}

function endOf(
  { childRunId }: WorkerState,
  { moment: { outcome } }: Visit,
): Outcome<'child-ended'> | undefined {
  return outcome?.kind === 'child-ended' && outcome.childRunId === childRunId ? outcome : undefined;
}

function ended(worker: WorkerState, visit: Visit): NewRunEvent | undefined {
  const end = endOf(worker, visit);
  if (!end) return undefined;
  const { workerId, succeeded = 0, childRunId = '' } = worker;
  const handOff = { workerId, parentRunId: visit.moment.recordedAs, childRunId };
  const cause = { runId: visit.moment.runId, causedBy: succeeded };
  switch (end.status) {
    case 'completed':
      return chainEvent(visit.node, { phase: 'child.completed', ...handOff }, cause);
    case 'failed': {
      const error = end.error ?? runError('child_failed', 'The child run failed.');
      return chainEvent(visit.node, { phase: 'child.failed', ...handOff, error }, cause);
    }
    case 'cancelled': {
      const error = runError('child_cancelled', 'The child run was cancelled.');
      return chainEvent(visit.node, { phase: 'child.cancelled', ...handOff, error }, cause);
    }
    default:
      return end.status satisfies never;
  }
}

/** What a completed child leaves: values first, then what was taken over. They stand on the log, so that the state follows from it. */
function harvest(worker: WorkerState, visit: Visit): NewRunEvent | undefined {
  const end = endOf(worker, visit);
  const mapping = outputMappingOf(worker, visit.node);
  if (worker.childStatus !== 'completed' || mapping.length === 0 || !end) return undefined;
  if (end.status !== 'completed') return failed(visit, lostError(end));
  const values = visit.moment.redact(mapped(mapping, end.variables));
  const place = worker.ended ?? 0;
  const left = Object.entries(values).find(([name]) => !worker.harvested.includes(name));
  if (left) {
    const [name, next] = left;
    if (jsonBytes(next) > OUTPUT_BYTES) {
      return failed(
        visit,
        runError('output_too_large', `A harvested value holds ${OUTPUT_BYTES} bytes of JSON at most.`),
      );
    }
    return caused(nodeEvent(VARIABLE_CHANGED, visit.node.id, { name, next }), visit.moment.runId, place);
  }
  const { workerId, childRunId = '' } = worker;
  const handOff = { workerId, parentRunId: visit.moment.recordedAs, childRunId };
  const harvestedKeys = [...worker.harvested];
  return chainEvent(
    visit.node,
    { phase: 'output.harvested', ...handOff, harvestedKeys },
    { runId: visit.moment.runId, causedBy: place },
  );
}

function afterEnd(workerIds: readonly string[], worker: WorkerState, visit: Visit): NewRunEvent | undefined {
  if (worker.childStatus !== 'completed') return failed(visit, childError(worker));
  return outputMappingOf(worker, visit.node).length > 0 ? undefined : tellOrGoOn(workerIds, worker, visit);
}

/** The log does not say whether a child had outputs: as long as a model might read some, it is asked for again. */
function tellOrGoOn(
  workerIds: readonly string[],
  worker: WorkerState,
  visit: Visit,
): NewRunEvent | undefined {
  if (worker.phase === 'returned' || !visit.moment.plan.isModelLoop) return goOn(workerIds, worker, visit);
  const end = endOf(worker, visit);
  if (!end) return undefined;
  if (end.status !== 'completed') return failed(visit, lostError(end));
  return end.returned ? workerReturned(worker, end.returned, visit) : goOn(workerIds, worker, visit);
}

function goOn(workerIds: readonly string[], worker: WorkerState, visit: Visit): NewRunEvent {
  const next = workerIds[worker.place + 1];
  if (next !== undefined) return began(next, visit);
  const { childRunId = '', childStatus = 'completed' } = worker;
  return completedNode(visit.node, { childRunId, childStatus });
}

function childError({ workerId, childRunId = '', childStatus, error }: WorkerState): RunError {
  const details = { workerId, childRunId, ...(error && { childErrorCode: error.code }) };
  return childStatus === 'cancelled'
    ? runError('child_cancelled', 'A worker was cancelled.', details)
    : runError('child_failed', 'A worker failed.', details);
}

/** The log says that the child completed, and what it left cannot be had any more: that is not as if it had left nothing. */
function lostError({ error }: Outcome<'child-ended'>): RunError {
  return error ?? runError('child_failed', 'What a worker left is not there any more.');
}

function failed({ node, state, moment }: Visit, error: RunError): NewRunEvent {
  return failedNode(moment.plan, node, state, { ...error, retryable: false });
}
