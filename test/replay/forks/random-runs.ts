import { CONTEXT_STRATEGIES, type ContextSettings } from '@palimpsest/contracts';
import { shapeBudget } from '@palimpsest/transcript';
import fc from 'fast-check';
import type { LoopAct } from './model-loop-run.js';
import type { Act } from './own-loop-run.js';

const COUNTERS = ['o200k_base', 'cl100k_base', 'chars'] as const;

/** Budgets that a few messages fill: in a unit of characters four times those in tokens. */
export const anySettings: fc.Arbitrary<ContextSettings> = fc
  .record({
    transcriptTokenBudget: fc.integer({ min: 120, max: 450 }),
    tokenCounter: fc.constantFrom(...COUNTERS),
    keepLastTurns: fc.integer({ min: 0, max: 3 }),
    strategy: fc.constantFrom(...CONTEXT_STRATEGIES),
    transcriptWindow: fc.option(fc.integer({ min: 4, max: 20 }), { nil: undefined, freq: 4 }),
  })
  .map(({ transcriptWindow, transcriptTokenBudget, ...rest }) => ({
    ...rest,
    transcriptTokenBudget: transcriptTokenBudget * (rest.tokenCounter === 'chars' ? 4 : 1),
    ...(transcriptWindow !== undefined && { transcriptWindow }),
  }))
  .filter((settings) => shapeBudget(settings).feasible);

const size = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 10, max: 300 }) },
  { weight: 3, arbitrary: fc.integer({ min: 300, max: 1000 }) },
  // larger than any of the budgets
  { weight: 1, arbitrary: fc.integer({ min: 2000, max: 3500 }) },
);

const anyAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ act: fc.constant('say' as const), size }) },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('instruct' as const), size: fc.integer({ min: 10, max: 200 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constant('call' as const), size, calls: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 6, arbitrary: fc.record({ act: fc.constant('result' as const), size, newest: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('pin' as const), size: fc.integer({ min: 10, max: 200 }) }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('unpin' as const), newest: fc.boolean() }) },
  { weight: 7, arbitrary: fc.constant({ act: 'window' as const }) },
);

/** Begins with a turn and a window, so that no run is without either; half of them come to an end. */
export const anyActs: fc.Arbitrary<readonly Act[]> = fc
  .tuple(fc.array(anyAct, { minLength: 20, maxLength: 36 }), fc.boolean())
  .map(([acts, finished]) => [
    { act: 'say', size: 60 },
    { act: 'window' },
    ...acts,
    ...(finished ? [{ act: 'finish' as const }] : []),
  ]);

/** Places at which forks are forked again, as shares of their logs, and in which mode. */
export const anyLineage = fc.array(
  fc.record({ share: fc.double({ min: 0, max: 1, noNaN: true }), replay: fc.boolean() }),
  { minLength: 3, maxLength: 3 },
);

/** Turns of a loop that a model decides; each decision comes after its window. */
export const anyLoop: fc.Arbitrary<readonly LoopAct[]> = fc.array(
  fc.record({
    act: fc.constantFrom('decide' as const, 'decide' as const, 'return' as const, 'complete' as const),
    size,
  }),
  { minLength: 12, maxLength: 20 },
);
