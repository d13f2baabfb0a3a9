import type { RunQuery, Verification } from '@palimpsest/contracts';
import type { ArtifactStore, Clock, EventLog, Logger, MessageBus, RacePoints } from '@palimpsest/kernel';
import type { ForkJobStore } from './store/fork-job-store.js';

/** What the coordinator works with. */
export type ReplayPorts = {
  readonly eventLog: EventLog;
  readonly artifacts: ArtifactStore;
  readonly jobs: ForkJobStore;
  /** Derives every window of a run again from log and artifacts. */
  readonly assembler: { verify(query: RunQuery): Promise<Verification> };
  readonly bus: Pick<MessageBus, 'ensureStream' | 'publish'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly races: RacePoints;
};
