import type { NewRunEvent, RunStatus, WorkflowDefinition, WorkflowRunState } from '@palimpsest/contracts';
import { runStatusOf } from '../fold/run-status-of.js';
import { effectOf } from '../loop/effect-of.js';
import type { Effect, EffectOutcome } from '../loop/effects.js';
import { Batch } from './batch.js';
import type { Redact } from './node-work.js';
import { RunStep } from './run-step.js';
import { planOf } from './run-plan.js';
import { wakeTime } from './wake-time.js';

export type AdvanceRequest = {
  readonly runId: string;
  /** Of a replay, its source: payloads name the run so. */
  readonly recordedAs?: string | undefined;
  readonly definition: WorkflowDefinition;
  readonly state: WorkflowRunState;
  /** Sequence of the run's last event. */
  readonly head: number;
  readonly now: Date;
  /** Id of the child run that the `dispatch.began` at this sequence leads to: always the same. At most 96 characters. */
  readonly childRunIdOf: (began: number) => string;
  /** What came of the effect that the run asked for before. */
  readonly outcome?: EffectOutcome | undefined;
  readonly redact: Redact;
};

export type Advanced = {
  /** To be appended on `head` in one transaction, at `now`; empty where the run waits or has ended. */
  readonly events: readonly NewRunEvent[];
  readonly state: WorkflowRunState;
  readonly status: RunStatus;
  /** When to look at the run again without having been told to; absent where only an answer moves it. */
  readonly wakeAt?: Date;
  /** What the run needs from outside to go on; absent where only time or an answer moves it. */
  readonly effect?: Effect;
  /** True where a batch is full: advance again from here. */
  readonly more: boolean;
};

/**
 * Takes a run as far as it goes now: pure, and the same for the same log, definition and time. One event at a time is
 * decided from the state alone, so that it goes on the same way from any prefix of the log.
 */
export function advance(request: AdvanceRequest): Advanced {
  const { runId, recordedAs = runId, definition, now, childRunIdOf, outcome, redact } = request;
  const batch = new Batch(request.state, request.head, now.toISOString());
  const names = { runId, recordedAs, childRunIdOf };
  const context = { ...names, plan: planOf(definition), now: now.getTime(), outcome, redact };
  const step = new RunStep(context);
  let event = step.next(batch);
  while (event) {
    batch.add(event);
    step.forget(event);
    event = batch.full ? undefined : step.next(batch);
  }
  return advanced(batch, request);
}

function advanced(batch: Batch, { definition, childRunIdOf }: AdvanceRequest): Advanced {
  const { events, state } = batch;
  const more = batch.full && !state.ended;
  const rest = { events, state, status: runStatusOf(state), more };
  if (more) return rest;
  const plan = planOf(definition);
  const wakeAt = wakeTime(state, plan);
  const effect = effectOf({ plan, state, childRunIdOf });
  return { ...rest, ...(wakeAt !== undefined && { wakeAt }), ...(effect && { effect }) };
}
