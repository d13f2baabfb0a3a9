import { CONTEXT_STRATEGIES, type ContextSettings, type MessageContent } from '@palimpsest/contracts';
import { countTokens } from '@palimpsest/tokens';
import fc from 'fast-check';
import { AssemblerHarness, RUN } from '../testing/assembler-harness.js';
import { EntryRenderer } from './rendered-window.js';

const settingsArbitrary: fc.Arbitrary<ContextSettings> = fc.record({
  transcriptTokenBudget: fc.integer({ min: 200, max: 1500 }),
  tokenCounter: fc.constant('o200k_base' as const),
  keepLastTurns: fc.integer({ min: 1, max: 2 }),
  strategy: fc.constantFrom(...CONTEXT_STRATEGIES),
});

function message(turn: number, words: number): MessageContent {
  const text = `Step ${turn}: ticket OPS-${1000 + turn} is due on 2026-03-0${1 + (turn % 9)}. `;
  return { role: turn % 2 === 0 ? 'user' : 'assistant', text: text + 'and so on '.repeat(words) };
}

/** Workers on the same bus that answer while the windows are planned, or none. */
async function played(
  settings: ContextSettings,
  sizes: readonly number[],
  { prepareAhead, workers, jobTokens }: { prepareAhead: boolean; workers: boolean; jobTokens: number },
): Promise<AssemblerHarness> {
  const harness = new AssemblerHarness(settings);
  const handlers = harness.handlers({
    deadlineMs: workers ? 60_000 : 1,
    assembler: { prepareAhead, summaryJobTokens: jobTokens },
  });
  await harness.start();
  if (workers) await harness.work(handlers);
  for (const [turn, words] of sizes.entries()) {
    await harness.say(message(turn, words));
    await handlers.planWindow.handle({ ...RUN, asOfSequence: 0 });
    // lets a worker take a job that was given ahead
    await new Promise(setImmediate);
  }
  await harness.bus.close();
  return harness;
}

describe('windows of every strategy, also with summaries made ahead', () => {
  it(
    'stay within the budget and are derived again from the record alone, whatever jobs may hold by then',
    () =>
      fc.assert(
        fc.asyncProperty(
          settingsArbitrary,
          fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 10, maxLength: 40 }),
          fc.record({
            prepareAhead: fc.boolean(),
            workers: fc.boolean(),
            jobTokens: fc.constantFrom(400, 3000, 200_000),
          }),
          async (settings, sizes, how) => {
            const harness = await played(settings, sizes, how);
            const handlers = harness.handlers();
            const verified = await handlers.verifyRun.handle(RUN);
            expect(verified).toMatchObject({ ok: true, windowsChecked: sizes.length });
            const { window } = await handlers.planWindow.handle({ ...RUN, asOfSequence: 0 });
            expect(window.tokenCount).toBeLessThanOrEqual(settings.transcriptTokenBudget);
          },
        ),
        { numRuns: 20 },
      ),
    60_000,
  );

  it('keep the newest facts over a long run, in tiers', async () => {
    const settings: ContextSettings = {
      transcriptTokenBudget: 1500,
      tokenCounter: 'o200k_base',
      keepLastTurns: 1,
      strategy: 'recursive',
    };
    const sizes = Array.from({ length: 150 }, (_, turn) => turn % 20);
    const harness = await played(settings, sizes, {
      prepareAhead: false,
      workers: false,
      jobTokens: 200_000,
    });
    const handlers = harness.handlers();
    const plan = await handlers.planWindow.handle({ ...RUN, asOfSequence: 0 });
    const renderer = new EntryRenderer(harness.artifacts, countTokens, {
      tenantId: RUN.tenantId,
      counter: 'o200k_base',
    });
    const text = (await renderer.render(plan.entries))
      .map((entry) => ('text' in entry ? entry.text : ''))
      .join('');
    const newest = Array.from({ length: 12 }, (_, back) => `OPS-${1149 - back}`);
    expect(newest.filter((ticket) => !text.includes(ticket))).toEqual([]);
  });

  it('do without an erased one of several summaries, and with the others', async () => {
    const settings: ContextSettings = {
      transcriptTokenBudget: 1500,
      tokenCounter: 'o200k_base',
      keepLastTurns: 1,
      strategy: 'recursive',
    };
    const harness = new AssemblerHarness(settings);
    const handlers = harness.handlers({ deadlineMs: 1 });
    await harness.start();
    const ask = () => handlers.planWindow.handle({ ...RUN, asOfSequence: 0 });
    let plan = await ask();
    for (let turn = 0; plan.summarizedRanges.length < 3; turn += 1) {
      await harness.say(message(turn, 2));
      plan = await ask();
    }
    const [first, second, third] = plan.summarizedRanges.map(({ summaryRef }) => summaryRef);
    await harness.artifacts.erase(RUN.tenantId, second ?? '');
    await harness.say(message(999, 0));
    const after = await ask();
    expect(after.summarizedRanges.map(({ summaryRef }) => summaryRef)).toEqual([first, third]);
    const { fates } = await handlers.readWindow.explain({ ...RUN, iteration: after.window.iteration });
    expect(fates.map(({ fate }) => fate)).toEqual(['summarized', 'evicted', 'summarized', 'fed']);
  });
});
