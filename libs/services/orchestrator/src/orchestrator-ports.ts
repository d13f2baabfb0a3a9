import type { CancelRun, RunStatusAnswer } from '@palimpsest/contracts';
import type { Clock, EventLog, Logger, OneAtATime, RacePoints } from '@palimpsest/kernel';
import type { KnownDefinitions } from './definitions/known-definitions.js';
import type { TimerStore } from './timers/timer-store.js';

export type RunKey = { readonly tenantId: string; readonly runId: string };

/** The run log's command that reaches the children of a run. */
export interface ChildRuns {
  cancelRun(command: CancelRun): Promise<RunStatusAnswer>;
}

/** What it takes to execute a run. */
export type ExecutionPorts = {
  readonly eventLog: EventLog;
  readonly definitions: KnownDefinitions;
  readonly timers: TimerStore;
  readonly childRuns: ChildRuns;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly races: RacePoints;
  /** Work on one run waits for its turn here, instead of losing to each other at the log. */
  readonly inTurn: OneAtATime;
};
