import {
  CURRENT_REPLAY_FLAGS,
  RUN_STARTED,
  type ContextSettings,
  type JsonObject,
} from '@palimpsest/contracts';
import { AssemblerHarness, RUN } from '../testing/assembler-harness.js';

const context: ContextSettings = {
  transcriptTokenBudget: 1000,
  tokenCounter: 'chars',
  keepLastTurns: 1,
  strategy: 'none',
};
const unknown = Math.max(...CURRENT_REPLAY_FLAGS) + 1;

async function startedWith(replayFlags: readonly number[]): Promise<AssemblerHarness> {
  const harness = new AssemblerHarness(context);
  await harness.start();
  const payload = { configurable: { context }, replayFlags: [...replayFlags] } as unknown as JsonObject;
  await harness.record({ type: RUN_STARTED, schemaVersion: 1, payload });
  await harness.say({ role: 'user', text: 'Hello' });
  return harness;
}

describe('a run that a newer version started', () => {
  it('has no window planned and none verified here, and nothing appended', async () => {
    const harness = await startedWith([...CURRENT_REPLAY_FLAGS, unknown]);
    const handlers = harness.handlers();
    const refusal = {
      code: 'unsupported_engine_version',
      retryable: true,
      details: { runId: RUN.runId, unknownReplayFlags: [unknown] },
    };
    await expect(handlers.planWindow.handle({ ...RUN, asOfSequence: 2 })).rejects.toMatchObject(refusal);
    await expect(handlers.verifyRun.handle(RUN)).rejects.toMatchObject(refusal);
    expect(await harness.log.header(RUN.tenantId, RUN.runId)).toMatchObject({ head: 2 });
  });

  it('is one of this version where all its flags are known', async () => {
    const harness = await startedWith(CURRENT_REPLAY_FLAGS);
    const { window } = await harness.handlers().planWindow.handle({ ...RUN, asOfSequence: 2 });
    expect(window.iteration).toBe(1);
  });
});
