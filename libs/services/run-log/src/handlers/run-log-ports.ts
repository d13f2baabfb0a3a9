import type { NewRunEvent, ReplayFlags } from '@palimpsest/contracts';
import type { Clock, EventLog, OneAtATime } from '@palimpsest/kernel';

/** Events of a command that are durable now. */
export type Recorded = {
  readonly tenantId: string;
  readonly runId: string;
  readonly firstSequence: number;
  readonly events: readonly NewRunEvent[];
};

/** What the run log works with. */
export type RunLogPorts = {
  readonly eventLog: EventLog;
  readonly clock: Clock;
  /** Told of each command's events; must neither throw nor take time. */
  readonly onRecorded?: (recorded: Recorded) => void;
  /** How runs that start now are derived. Default: in all the ways of this version. */
  readonly replayFlags?: ReplayFlags;
};

/** What its handlers work with. */
export type HandlerPorts = RunLogPorts & {
  /** Commands of one run wait for each other here, instead of losing to each other at the log. */
  readonly inTurn: OneAtATime;
};
