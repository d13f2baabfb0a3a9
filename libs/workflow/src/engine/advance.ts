import type { NewRunEvent, RunStatus, WorkflowDefinition, WorkflowRunState } from '@palimpsest/contracts';
import { runStatusOf } from '../fold/run-status-of.js';
import { Batch } from './batch.js';
import type { Redact } from './node-work.js';
import { RunStep } from './run-step.js';
import { planOf } from './run-plan.js';
import { wakeTime } from './wake-time.js';

export type AdvanceRequest = {
  readonly runId: string;
  readonly definition: WorkflowDefinition;
  readonly state: WorkflowRunState;
  /** Sequence of the run's last event. */
  readonly head: number;
  readonly now: Date;
  readonly redact: Redact;
};

export type Advanced = {
  /** To be appended on `head` in one transaction, at `now`; empty where the run waits or has ended. */
  readonly events: readonly NewRunEvent[];
  readonly state: WorkflowRunState;
  readonly status: RunStatus;
  /** When to look at the run again without having been told to; absent where only an answer moves it. */
  readonly wakeAt?: Date;
  /** True where a batch is full: advance again from here. */
  readonly more: boolean;
};

/**
 * Takes a run as far as it goes now: pure, and the same for the same log, definition and time. One event at a time is
 * decided from the state alone, so that it goes on the same way from any prefix of the log.
 */
export function advance(request: AdvanceRequest): Advanced {
  const { runId, definition, now, redact } = request;
  const batch = new Batch(request.state, request.head, now.toISOString());
  const step = new RunStep({ runId, plan: planOf(definition), now: now.getTime(), redact });
  let event = step.next(batch);
  while (event) {
    batch.add(event);
    step.forget(event);
    event = batch.full ? undefined : step.next(batch);
  }
  return outcome(batch, request);
}

function outcome(batch: Batch, { definition }: AdvanceRequest): Advanced {
  const { events, state } = batch;
  const more = batch.full && !state.ended;
  const wakeAt = more ? undefined : wakeTime(state, planOf(definition));
  return { events, state, status: runStatusOf(state), more, ...(wakeAt !== undefined && { wakeAt }) };
}
