import type { CancelRun, RunStatusAnswer, StartWorkflow } from '@palimpsest/contracts';
import type { Clock, EventLog, Logger, MessageBus, OneAtATime, RacePoints } from '@palimpsest/kernel';
import type { Effect, EffectOutcome } from '@palimpsest/workflow';
import type { KnownDefinitions } from './definitions/known-definitions.js';
import type { TimerStore } from './timers/timer-store.js';

export type RunKey = { readonly tenantId: string; readonly runId: string };

/** The run log's commands that reach the children of a run. */
export interface ChildRuns {
  /** With the same `commandId` again it answers what was recorded. */
  startWorkflow(command: StartWorkflow): Promise<RunStatusAnswer>;
  cancelRun(command: CancelRun): Promise<RunStatusAnswer>;
}

/** A turn that no script decides: the run it belongs to, as of the end of its log. */
export type Turn = Omit<Extract<Effect, { kind: 'decide' }>, 'kind'> & RunKey & { readonly head: number };

/**
 * Decides turns of supervisors that are no scripts. It may be asked for the same turn again, where a process died before
 * the answer was recorded. Throws a RetryableError where the turn is to be tried again later.
 */
export interface Planner {
  decide(turn: Turn): Promise<Extract<EffectOutcome, { kind: 'decided' | 'undecided' }>>;
}

/** What it takes to execute a run. */
export type ExecutionPorts = {
  readonly eventLog: EventLog;
  readonly bus: Pick<MessageBus, 'publish'>;
  readonly definitions: KnownDefinitions;
  readonly timers: TimerStore;
  readonly childRuns: ChildRuns;
  /** Absent where no model is configured: then only scripts decide. */
  readonly planner?: Planner;
  /** How many runs may start each other, one inside the other. */
  readonly maxChildDepth: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly races: RacePoints;
  /** Work on one run waits for its turn here, instead of losing to each other at the log. */
  readonly inTurn: OneAtATime;
};
