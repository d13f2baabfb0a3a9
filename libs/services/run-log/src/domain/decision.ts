import type { NewRunEvent, ReplayFlags, RunHeader } from '@palimpsest/contracts';
import type { HeaderChange } from '@palimpsest/kernel';

/** What a command records: events for the run's next places, none where there is nothing to do, and the header after them. */
export type Decision = { readonly events: readonly NewRunEvent[]; readonly header: HeaderChange };

/**
 * A run that a command meets: its header, and the time at which its events will be recorded. `replayFlags`: how a run that
 * starts now is derived.
 */
export type Meeting = {
  readonly header: RunHeader | undefined;
  readonly at: Date;
  readonly replayFlags: ReplayFlags;
};
