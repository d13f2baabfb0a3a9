import type { Clock, EventLog, OneAtATime } from '@palimpsest/kernel';

/** What the run log works with. */
export type RunLogPorts = { readonly eventLog: EventLog; readonly clock: Clock };

/** What its handlers work with. */
export type HandlerPorts = RunLogPorts & {
  /** Commands of one run wait for each other here, instead of losing to each other at the log. */
  readonly inTurn: OneAtATime;
};
