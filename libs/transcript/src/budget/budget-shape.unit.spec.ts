import type { ContextSettings } from '@palimpsest/contracts';
import fc from 'fast-check';
import { keepableTurns, shapeBudget } from './budget-shape.js';

const settings = (over: Partial<ContextSettings> = {}): ContextSettings => ({
  transcriptTokenBudget: 1000,
  tokenCounter: 'o200k_base',
  keepLastTurns: 2,
  strategy: 'sliding-window',
  ...over,
});

const anySettings = fc.record({
  transcriptTokenBudget: fc.integer({ min: 1, max: 200_000 }),
  tokenCounter: fc.constantFrom('o200k_base' as const, 'cl100k_base' as const, 'chars' as const),
  keepLastTurns: fc.integer({ min: 0, max: 40 }),
  strategy: fc.constantFrom('none' as const, 'sliding-window' as const),
});

describe('dividing a budget', () => {
  it('keeps the kept turns and the summary apart from each other, under the ceiling', () => {
    fc.assert(
      fc.property(anySettings, (any) => {
        const verdict = shapeBudget(any);
        if (!verdict.feasible) return;
        const { avail, summaryCap, summaryTarget, turnFloor, turnsKept, budget } = verdict.shape;
        const { tailTarget, fullTailTarget } = verdict.shape;
        expect(avail + summaryCap).toBe(budget);
        expect(summaryTarget).toBeLessThanOrEqual(summaryCap);
        expect(turnsKept * turnFloor).toBeLessThanOrEqual(avail);
        expect(tailTarget + summaryTarget).toBeLessThanOrEqual(Math.max(budget / 2, summaryTarget));
        expect(fullTailTarget).toBeLessThanOrEqual(avail);
      }),
    );
  });

  it('names the least budget exactly', () => {
    fc.assert(
      fc.property(anySettings, (any) => {
        const verdict = shapeBudget(any);
        if (verdict.feasible) return;
        const { minimumBudget } = verdict;
        expect(any.transcriptTokenBudget).toBeLessThan(minimumBudget);
        expect(shapeBudget({ ...any, transcriptTokenBudget: minimumBudget }).feasible).toBe(true);
        expect(shapeBudget({ ...any, transcriptTokenBudget: minimumBudget - 1 }).feasible).toBe(false);
      }),
    );
  });

  it.each([
    ['o200k_base', 1, 96],
    ['cl100k_base', 3, 224],
    ['chars', 1, 320],
  ] as const)('asks in %s with %i turns for at least %i', (tokenCounter, keepLastTurns, minimumBudget) => {
    const verdict = shapeBudget(settings({ tokenCounter, keepLastTurns, transcriptTokenBudget: 1 }));
    expect(verdict).toMatchObject({ feasible: false, minimumBudget });
  });

  it.each([
    ['o200k_base', 400, 240, 160],
    ['o200k_base', 800, 480, 320],
    ['o200k_base', 1000, 480, 400],
    ['o200k_base', 1200, 480, 480],
    ['o200k_base', 8000, 3200, 3200],
    ['chars', 1600, 960, 640],
  ] as const)(
    'gives the summary in %s of %i at most %i, or %i',
    (tokenCounter, transcriptTokenBudget, cap, target) => {
      expect(shapeBudget(settings({ tokenCounter, transcriptTokenBudget, keepLastTurns: 1 }))).toMatchObject({
        shape: { summaryCap: cap, summaryTarget: target },
      });
    },
  );

  it('calls a turn large where 24 do not fit, or 8 where the prefix is long enough to be cached', () => {
    const largeTurn = (transcriptTokenBudget: number): object =>
      shapeBudget(settings({ transcriptTokenBudget }));
    expect(largeTurn(1200)).toMatchObject({ shape: { largeTurn: 50 } });
    expect(largeTurn(8000)).toMatchObject({ shape: { largeTurn: 1000 } });
  });

  it('reserves nothing for a summary under strategy none', () => {
    expect(shapeBudget(settings({ strategy: 'none' }))).toMatchObject({
      shape: { summaryCap: 0, avail: 1000 },
    });
  });

  it('keeps the active turn with keepLastTurns 0', () => {
    expect(shapeBudget(settings({ keepLastTurns: 0 }))).toMatchObject({ shape: { turnsKept: 1 } });
  });

  it('refuses a transcript window that cannot hold the kept turns and the summary', () => {
    expect(shapeBudget(settings({ transcriptWindow: 4 }))).toMatchObject({ minimumTranscriptWindow: 5 });
    expect(shapeBudget(settings({ transcriptWindow: 5 })).feasible).toBe(true);
  });

  it.each([
    [400, 6, 1],
    [1000, 6, 4],
    [10_000, 6, 6],
    [200, 6, 0],
  ])('in %i code points keeps of %i wanted turns %i', (transcriptTokenBudget, wanted, kept) => {
    const { keepLastTurns: _, ...rest } = settings({ transcriptTokenBudget, tokenCounter: 'chars' });
    expect(keepableTurns(rest, wanted)).toBe(kept);
  });
});
