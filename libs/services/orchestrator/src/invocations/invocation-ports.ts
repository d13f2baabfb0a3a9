import type { Clock, EventLog, Logger, MessageBus, RacePoints } from '@palimpsest/kernel';
import type { InvocationStore } from './invocation-store.js';

/** What it takes to make invocations of models, once each. */
export type InvocationPorts = {
  readonly eventLog: Pick<EventLog, 'header' | 'append'>;
  readonly bus: Pick<MessageBus, 'listen'>;
  readonly invocations: InvocationStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly races: RacePoints;
  /** Aborted when the process is about to end. */
  readonly stopping: AbortSignal;
  /** Names a claim; never the same twice, whoever asks. */
  readonly newOwner: () => string;
};
