import { CURRENT_REPLAY_FLAGS } from '@palimpsest/contracts';
import { CoordinatorHarness } from '../testing/coordinator-harness.js';
import { SOURCE, TENANT } from '../testing/source-run.js';

const unknown = Math.max(...CURRENT_REPLAY_FLAGS) + 1;

describe('a run that a newer version started', () => {
  it.each(['replay', 'branch'] as const)('is not forked here, as a %s, and nothing is left', async (mode) => {
    const harness = new CoordinatorHarness();
    harness.source.start();
    await harness.source.message('user');
    await harness.source.write();
    const { head = -1, state } = (await harness.header(SOURCE)) ?? {};
    await harness.eventLog.append({
      ...{ tenantId: TENANT, runId: SOURCE, expectedHead: head, at: harness.now },
      events: [{ type: 'other.event', payload: {}, schemaVersion: 1 }],
      header: { state: { ...state, replayFlags: [unknown] } },
    });
    await expect(harness.coordinator().fork({ mode, fromSeq: 1 })).rejects.toMatchObject({
      code: 'unsupported_engine_version',
      details: { runId: SOURCE, unknownReplayFlags: [unknown] },
    });
    expect(await harness.header()).toBeUndefined();
    expect(await harness.openJobs()).toEqual([]);
  });
});
