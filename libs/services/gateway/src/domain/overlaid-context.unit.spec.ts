import fc from 'fast-check';
import {
  contextSettingsSchema,
  CONTEXT_STRATEGIES,
  TOKEN_COUNTERS,
  type ContextRequest,
  type ContextSettings,
} from '@palimpsest/contracts';
import { isPalimpsestError } from '@palimpsest/kernel';
import { shapeBudget } from '@palimpsest/transcript';
import { hostContext } from '../testing/host-context.js';
import { resolveContextSettings, resolveLoopContext } from './context-settings.js';
import { overlaidContext } from './overlaid-context.js';

const source: ContextSettings = {
  transcriptTokenBudget: 4000,
  tokenCounter: 'o200k_base',
  keepLastTurns: 6,
  strategy: 'recursive',
  transcriptWindow: 40,
};
const overlaid = (request: ContextRequest) =>
  overlaidContext(source, request, (asked) => resolveContextSettings(asked, hostContext));

describe('the settings of a branch', () => {
  it('are the source’s where nothing else is asked for', () => {
    expect(overlaid({ transcriptTokenBudget: 3000 })).toEqual({ ...source, transcriptTokenBudget: 3000 });
    expect(overlaid({ strategy: 'none' })).toEqual({ ...source, strategy: 'none' });
  });

  it('take the host’s budget with another unit, unless one is asked for', () => {
    expect(overlaid({ tokenCounter: 'chars' })).toMatchObject({ transcriptTokenBudget: 32_000 });
    expect(overlaid({ tokenCounter: 'chars', transcriptTokenBudget: 9000 })).toMatchObject({
      transcriptTokenBudget: 9000,
    });
    expect(overlaid({ tokenCounter: 'o200k_base' })).toEqual(source);
  });

  it('keep the turns of the source while the budget holds them, and then what a new run keeps', () => {
    const tight = { transcriptTokenBudget: 300 };
    expect(overlaid(tight).keepLastTurns).toBe(
      resolveContextSettings({ ...source, ...tight, keepLastTurns: undefined }, hostContext).keepLastTurns,
    );
    const refused = expect.objectContaining({ code: 'context_budget_infeasible' });
    expect(() => overlaid({ ...tight, keepLastTurns: 6 })).toThrow(refused);
    expect(() => overlaid({ transcriptTokenBudget: 10 })).toThrow(refused);
  });

  it('stay within what the host gives, and of an execution loop in its unit', () => {
    expect(() => overlaid({ transcriptTokenBudget: 100_001 })).toThrow(
      expect.objectContaining({ code: 'validation_error' }),
    );
    const loop = (request: ContextRequest) =>
      overlaidContext(source, request, (asked) => resolveLoopContext(asked, hostContext));
    expect(loop({ transcriptTokenBudget: 8000 })).toMatchObject({ transcriptTokenBudget: 8000 });
    for (const request of [{ transcriptTokenBudget: 8001 }, { tokenCounter: 'chars' as const }])
      expect(() => loop(request)).toThrow(expect.objectContaining({ code: 'validation_error' }));
  });

  it('are feasible settings or a refusal, whatever is laid over what', () => {
    const request = fc.record<ContextRequest>(
      {
        transcriptTokenBudget: fc.integer({ min: 1, max: 50_000 }),
        tokenCounter: fc.constantFrom(...TOKEN_COUNTERS),
        keepLastTurns: fc.integer({ min: 0, max: 30 }),
        strategy: fc.constantFrom(...CONTEXT_STRATEGIES),
        transcriptWindow: fc.integer({ min: 1, max: 60 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(request, (asked) => {
        try {
          const settings = overlaid(asked);
          expect(contextSettingsSchema.parse(settings)).toEqual(settings);
          expect(settings).toMatchObject(asked);
          expect(shapeBudget(settings).feasible).toBe(true);
        } catch (error) {
          if (!isPalimpsestError(error)) throw error;
          expect(['context_budget_infeasible', 'validation_error']).toContain(error.code);
        }
      }),
    );
  });
});
