import { CURRENT_REPLAY_FLAGS } from '@palimpsest/contracts';
import { fromWireError, toWireError } from '../errors/wire-error.js';
import { UnsupportedEngineVersionError } from '../errors/known-errors.js';
import { replayFlagsOf } from './replay-flags-of.js';

const runId = 'run-1';

describe('the replay flags of a run', () => {
  it('are those that it was started with', () => {
    const replayFlags = [...CURRENT_REPLAY_FLAGS];
    expect(replayFlagsOf({ runId, state: { replayFlags } })).toEqual(replayFlags);
  });

  it('are none where it is from before there were any', () => {
    expect(replayFlagsOf({ runId, state: {} })).toEqual([]);
  });

  it('that a newer version gave are refused, by number, and may be asked for elsewhere', () => {
    const newer = Math.max(...CURRENT_REPLAY_FLAGS) + 1;
    const state = { replayFlags: [...CURRENT_REPLAY_FLAGS, newer] };
    const refusal = expect.objectContaining({
      code: 'unsupported_engine_version',
      retryable: true,
      details: { runId, unknownReplayFlags: [newer] },
    });
    expect(() => replayFlagsOf({ runId, state })).toThrow(refusal);
    expect(fromWireError(toWireError(new UnsupportedEngineVersionError(runId, [newer])))).toEqual(refusal);
  });
});
