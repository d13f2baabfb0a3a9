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
        const { avail, summaryCap, turnFloor, turnsKept, tailTarget, budget } = verdict.shape;
        expect(avail + summaryCap).toBe(budget);
        expect(turnsKept * turnFloor).toBeLessThanOrEqual(avail);
        expect(tailTarget + summaryCap).toBeLessThanOrEqual(Math.max(budget / 2, summaryCap));
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
    ['chars', 1, 384],
  ] as const)('asks in %s with %i turns for at least %i', (tokenCounter, keepLastTurns, minimumBudget) => {
    const verdict = shapeBudget(settings({ tokenCounter, keepLastTurns, transcriptTokenBudget: 1 }));
    expect(verdict).toMatchObject({ feasible: false, minimumBudget });
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
    [1000, 6, 3],
    [10_000, 6, 6],
    [200, 6, 0],
  ])('in %i code points keeps of %i wanted turns %i', (transcriptTokenBudget, wanted, kept) => {
    const { keepLastTurns: _, ...rest } = settings({ transcriptTokenBudget, tokenCounter: 'chars' });
    expect(keepableTurns(rest, wanted)).toBe(kept);
  });
});
