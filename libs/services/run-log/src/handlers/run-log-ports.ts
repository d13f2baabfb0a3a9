import type { Clock, EventLog } from '@palimpsest/kernel';

/** What the handlers work with. */
export type RunLogPorts = { readonly eventLog: EventLog; readonly clock: Clock };
