import { NO_REPLAY_FLAGS, unknownFlags, type ReplayFlags, type RunHeader } from '@palimpsest/contracts';
import { UnsupportedEngineVersionError } from '../errors/known-errors.js';

/** How a run is derived, of either kind. @throws UnsupportedEngineVersionError where a newer version has started it */
export function replayFlagsOf({ runId, state }: Pick<RunHeader, 'runId' | 'state'>): ReplayFlags {
  // The log's writers made the state; it is not checked again.
  const { replayFlags = NO_REPLAY_FLAGS } = state as { readonly replayFlags?: ReplayFlags };
  const unknown = unknownFlags(replayFlags);
  if (unknown.length > 0) throw new UnsupportedEngineVersionError(runId, unknown);
  return replayFlags;
}
