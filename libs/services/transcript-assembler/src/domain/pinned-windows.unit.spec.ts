import { CONTEXT_STRATEGIES, type ContextSettings } from '@palimpsest/contracts';
import { shapeBudget } from '@palimpsest/transcript';
import fc from 'fast-check';
import { SimulatedRun, type Act, type SimulatedWindow } from '../testing/simulated-run.js';
import type { AssemblyEffects } from './assembly-effects.js';
import { isWithin } from './carried-over.js';
import { windowEntries } from './describe-window.js';
import { pinTokensOf } from './pins.js';
import { shapeBeside } from './window-shape.js';

const settingsArbitrary: fc.Arbitrary<ContextSettings> = fc
  .record(
    {
      transcriptTokenBudget: fc.integer({ min: 200, max: 3000 }),
      tokenCounter: fc.constantFrom('o200k_base' as const, 'cl100k_base' as const, 'chars' as const),
      keepLastTurns: fc.integer({ min: 0, max: 4 }),
      strategy: fc.constantFrom(...CONTEXT_STRATEGIES),
      transcriptWindow: fc.integer({ min: 8, max: 40 }),
    },
    { requiredKeys: ['transcriptTokenBudget', 'tokenCounter', 'keepLastTurns', 'strategy'] },
  )
  .filter((settings) => shapeBudget(settings).feasible);

const size = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 3, max: 150 }) },
  { weight: 3, arbitrary: fc.integer({ min: 100, max: 50_000 }) },
);

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ act: fc.constant('say' as const), tokens: size }) },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('call' as const),
      tokens: size,
      calls: fc.oneof(
        { weight: 9, arbitrary: fc.integer({ min: 1, max: 4 }) },
        { weight: 1, arbitrary: fc.integer({ min: 20, max: 60 }) },
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ act: fc.constant('result' as const), tokens: size, newest: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant('pin' as const), tokens: fc.integer({ min: 1, max: 900 }) }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('unpin' as const), newest: fc.boolean() }) },
  { weight: 5, arbitrary: fc.constant({ act: 'window' as const }) },
);

function effects(share: number, refuseEvery: number): AssemblyEffects {
  let asked = 0;
  return {
    cut: ({ sequence }, max) =>
      Promise.resolve({ artifactId: `art_cut_${sequence}`, tokens: Math.max(1, Math.floor(max * share)) }),
    summarize: ({ maxTokens }) => {
      asked += 1;
      if (asked % refuseEvery === 0) return Promise.resolve(undefined);
      return Promise.resolve({
        summaryRef: `art_sum_${asked}`,
        tokens: Math.max(1, Math.floor(maxTokens * share)),
      });
    },
  };
}

async function played(settings: ContextSettings, acts: readonly Act[], share = 1): Promise<SimulatedRun> {
  const run = new SimulatedRun(settings, effects(share, 5));
  for (const one of [...acts, { act: 'window' as const }]) await run.play(one);
  return run;
}

function property(check: (window: SimulatedWindow, settings: ContextSettings) => void): Promise<void> {
  return fc.assert(
    fc.asyncProperty(
      settingsArbitrary,
      fc.array(act, { minLength: 5, maxLength: 100 }),
      fc.constantFrom(1, 0.9, 0.4),
      async (settings, acts, share) => {
        for (const window of (await played(settings, acts, share)).windows) check(window, settings);
      },
    ),
    { numRuns: 200 },
  );
}

/** The entries as they are fed, of a window whose summaries stand where they were recorded. */
function entriesOf({ payload, rows, assembled }: SimulatedWindow) {
  const apart = new Set([...payload.islands, ...payload.pending].flat());
  return windowEntries({
    runId: 'run_1',
    window: payload,
    rows: rows.filter(({ sequence }) => sequence >= payload.tailFromSequence || apart.has(sequence)),
    summaries: assembled.summaries.map(({ summaryRef, tokens }, index) => ({
      summaryRef,
      tokens,
      sequence: payload.summarySequences[index] ?? -1,
    })),
  });
}

describe('windows of random conversations with pins that come and go', () => {
  it('never exceed the budget or the entry bound, and count what they feed', () =>
    property((window, { transcriptTokenBudget, transcriptWindow = Infinity }) => {
      const entries = entriesOf(window);
      expect(window.payload.tokenCount).toBeLessThanOrEqual(transcriptTokenBudget);
      expect(entries.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(window.payload.tokenCount);
      const shown = entries.filter(({ form }) => form !== 'elided').length;
      expect(shown).toBeLessThanOrEqual(transcriptWindow);
    }));

  it('feed the last turns beside the pins, with their first messages', () =>
    property((window, settings) => {
      const { payload, turns, assembled } = window;
      const fed = new Set(assembled.fed.map(({ first }) => first));
      for (const { first } of turns.slice(-Math.max(1, settings.keepLastTurns))) expect(fed).toContain(first);
      for (const { first } of assembled.fed) expect(isWithin(payload.elided, first)).toBe(false);
    }));

  it('never cut a message below what is legible, however large the turns before it were fed', () =>
    fc.assert(
      fc.asyncProperty(
        settingsArbitrary,
        fc.array(act, { minLength: 20, maxLength: 100 }),
        async (settings, acts) => {
          const single = acts.filter((one) => one.act !== 'call' && one.act !== 'result');
          const run = await played(settings, single);
          for (const { payload } of run.windows) {
            expect(payload.elided).toEqual([]);
            for (const { tokens } of payload.cuts)
              expect(tokens).toBeGreaterThanOrEqual(run.shape.messageFloor);
          }
        },
      ),
      { numRuns: 200 },
    ));

  it('feed every pin verbatim: the old ones first, the others where they were added', () =>
    property((window) => {
      const entries = entriesOf(window);
      const pins = entries.filter(({ kind }) => kind === 'pin');
      expect(pins.map(({ sequence }) => sequence)).toEqual(
        (window.payload.pins ?? []).map(({ sequence }) => sequence),
      );
      const places = entries.filter(({ kind }) => kind !== 'summary').map(({ sequence }) => sequence);
      expect(places).toEqual([...places].sort((a, b) => a - b));
      const summary = entries.findIndex(({ kind }) => kind === 'summary');
      const turn = entries.findIndex(({ kind }) => kind === 'turn');
      if (summary >= 0 && turn >= 0) {
        const before = entries.slice(0, summary);
        expect(before.every(({ kind }) => kind === 'pin')).toBe(true);
        expect(entries.slice(summary, turn).every(({ kind }) => kind === 'summary')).toBe(true);
      }
    }));
});

describe('a pin that leaves fed turns no room', () => {
  const settings: ContextSettings = {
    transcriptTokenBudget: 800,
    tokenCounter: 'o200k_base',
    keepLastTurns: 2,
    strategy: 'sliding-window',
  };
  const say = (tokens: number): Act => ({ act: 'say', tokens });
  const window: Act = { act: 'window' };

  it('changes nothing where it fits', async () => {
    const run = await played(settings, [say(50), say(200), window, { act: 'pin', tokens: 100 }, say(30)]);
    const [before, after] = run.windows;
    expect(before?.payload).not.toHaveProperty('pins');
    expect(after?.payload).toMatchObject({ cuts: [], summarySequences: [], tokenCount: 380 });
    expect(after?.payload.pins).toEqual([expect.objectContaining({ pinId: 'pin_4', tokens: 100 })]);
  });

  it('has the turns that stay cut anew, and compacts', async () => {
    const large = [say(300), say(300), say(300), say(120)];
    const run = await played(settings, [...large, window, { act: 'pin', tokens: 500 }, say(5)]);
    const [before, after] = run.windows;
    const fedBefore = new Map(before?.assembled.fed.map(({ first, tokens }) => [first, tokens]));
    const kept = after?.assembled.fed ?? [];
    expect(kept.map(({ first }) => first)).toContain(4);
    expect(after?.payload.tailFromSequence).toBeGreaterThan(before?.payload.tailFromSequence ?? 0);
    expect(kept.every(({ first, tokens }) => tokens <= (fedBefore.get(first) ?? tokens))).toBe(true);
    expect(after?.payload.tokenCount).toBeLessThanOrEqual(800);
  });

  it('cuts one turn that was fed with the whole budget to what the pin leaves', async () => {
    const alone = { ...settings, keepLastTurns: 1, strategy: 'none' as const };
    const run = await played(alone, [
      say(9000),
      window,
      { act: 'pin', tokens: 600 },
      { act: 'say', tokens: 9 },
    ]);
    expect(run.windows.map(({ payload }) => payload.cuts.map(({ tokens }) => tokens))).toEqual([[800], []]);
    const both = { ...alone, keepLastTurns: 2 };
    const cut = await played(both, [
      say(9000),
      window,
      { act: 'pin', tokens: 600 },
      { act: 'say', tokens: 9 },
    ]);
    const [first = 0, second = 0] = cut.windows.map(({ payload }) => payload.cuts[0]?.tokens);
    expect(second).toBeLessThan(first);
    expect(second).toBeGreaterThanOrEqual(cut.shape.turnFloor);
    expect(cut.windows.at(-1)?.payload.tokenCount).toBeLessThanOrEqual(800);
  });

  it('is refused where the turns to keep could not stand beside it', () => {
    const pin = { pinId: 'pin_a', sequence: 1, artifactId: 'art_a', tokens: 1 };
    const pins = [{ ...pin, tokens: 700 }];
    const verdict = shapeBeside(pins, settings);
    expect(verdict).toEqual({ feasible: false, minimumBudget: 860, minimumTranscriptWindow: 6 });
    expect(pinTokensOf(pins)).toBe(700);
    expect(shapeBeside(pins, { ...settings, transcriptTokenBudget: 860 }).feasible).toBe(true);
    expect(shapeBeside([], { ...settings, transcriptWindow: 5 }).feasible).toBe(true);
    expect(shapeBeside([pin], { ...settings, transcriptWindow: 5 }).feasible).toBe(false);
  });
});
