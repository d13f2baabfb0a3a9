import { jest } from '@jest/globals';
import { permitEffects, type EffectPermit } from '@palimpsest/kernel';
import { AssemblerHarness, RUN } from '../testing/assembler-harness.js';

const settings = {
  transcriptTokenBudget: 600,
  tokenCounter: 'o200k_base',
  keepLastTurns: 1,
  strategy: 'sliding-window',
} as const;

describe('summaries of a run without leave to have effects', () => {
  it.each([
    ['of none', undefined as unknown as EffectPermit],
    ['of another run', permitEffects({ ...RUN, runId: 'another-run', origin: undefined })],
  ])('are asked of nobody: a permit %s', async (_which, permit) => {
    const harness = new AssemblerHarness(settings);
    await harness.start();
    const publish = jest.spyOn(harness.bus, 'publish');
    const { summaries } = harness.handlers();
    const patience = summaries.patience();
    const wanted = { ...RUN, permit, counter: 'chars', rows: [], absorbed: [], maxTokens: 10 } as const;
    const denied = expect.objectContaining({ code: 'replay_effect_denied' });
    await expect(summaries.obtain(wanted, patience)).rejects.toEqual(denied);
    await expect(summaries.obtain({ ...wanted, parts: [[], []] }, patience)).rejects.toEqual(denied);
    await expect(summaries.prepare(wanted)).rejects.toEqual(denied);
    patience.end();
    expect(publish).not.toHaveBeenCalled();
  });
});
