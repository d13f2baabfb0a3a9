import * as fc from 'fast-check';
import { contextSettingsSchema, TOKEN_COUNTERS } from '@palimpsest/contracts';
import { isPalimpsestError } from '@palimpsest/kernel';
import { shapeBudget } from '@palimpsest/transcript';
import { hostContext } from '../testing/host-context.js';
import { resolveContextSettings, resolveLoopContext } from './context-settings.js';

const refusal = (request: Parameters<typeof resolveContextSettings>[0]) => {
  try {
    return resolveContextSettings(request, hostContext);
  } catch (error) {
    return error;
  }
};

describe('context settings', () => {
  it('are the host’s where the caller says nothing', () => {
    expect(resolveContextSettings({}, hostContext)).toEqual({
      transcriptTokenBudget: 8000,
      tokenCounter: 'o200k_base',
      keepLastTurns: 6,
      strategy: 'sliding-window',
    });
    expect(resolveContextSettings({ tokenCounter: 'chars' }, hostContext)).toMatchObject({
      transcriptTokenBudget: 32_000,
    });
  });

  it('keep as many turns by default as the budget allows', () => {
    const kept = resolveContextSettings({ transcriptTokenBudget: 200 }, hostContext);
    expect(kept.keepLastTurns).toBeGreaterThan(0);
    expect(kept.keepLastTurns).toBeLessThan(6);
    expect(shapeBudget({ ...kept, keepLastTurns: kept.keepLastTurns + 1 })).toMatchObject({
      feasible: false,
    });
  });

  it('refuse what was asked for and cannot be, with the least that would do', () => {
    const request = { transcriptTokenBudget: 400, keepLastTurns: 50 };
    const error = refusal(request);
    expect(error).toMatchObject({
      code: 'context_budget_infeasible',
      details: { minimumBudget: expect.any(Number) },
    });
    const { minimumBudget } = error as { minimumBudget: number };
    expect(
      resolveContextSettings({ ...request, transcriptTokenBudget: minimumBudget }, hostContext),
    ).toMatchObject(request.keepLastTurns ? { keepLastTurns: 50 } : {});
    expect(refusal({ ...request, transcriptTokenBudget: minimumBudget - 1 })).toMatchObject({
      code: 'context_budget_infeasible',
      details: { minimumBudget },
    });
  });

  it('refuse a window of entries too small for the turns', () => {
    expect(refusal({ keepLastTurns: 6, transcriptWindow: 2 })).toMatchObject({
      code: 'context_budget_infeasible',
      details: {
        minimumTranscriptWindow: expect.any(Number),
        field: 'configurable.context.transcriptWindow',
      },
    });
  });

  it.each(TOKEN_COUNTERS)('stop at the host’s maximum in %s', (tokenCounter) => {
    const maximum = hostContext.maxBudgets[tokenCounter];
    expect(
      resolveContextSettings({ tokenCounter, transcriptTokenBudget: maximum }, hostContext),
    ).toBeDefined();
    expect(refusal({ tokenCounter, transcriptTokenBudget: maximum + 1 })).toMatchObject({
      code: 'validation_error',
      details: { maximum, field: 'configurable.context.transcriptTokenBudget' },
    });
  });

  it('are feasible and complete, or refused with a code: nothing else', () => {
    const request = fc.record(
      {
        transcriptTokenBudget: fc.integer({ min: 1, max: 200_000 }),
        tokenCounter: fc.constantFrom(...TOKEN_COUNTERS),
        keepLastTurns: fc.nat(100),
        strategy: fc.constantFrom('none' as const, 'sliding-window' as const),
        transcriptWindow: fc.integer({ min: 1, max: 50 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(request, (each) => {
        try {
          const settings = contextSettingsSchema.parse(resolveContextSettings(each, hostContext));
          return shapeBudget(settings).feasible;
        } catch (error) {
          return isPalimpsestError(error);
        }
      }),
    );
  });
});

describe('context settings of a run that the host executes', () => {
  const given = { tokenCounter: 'o200k_base', transcriptTokenBudget: 8000 } as const;

  it('are the host’s, in its unit', () => {
    const settings = { ...given, keepLastTurns: 6, strategy: 'sliding-window' };
    expect(resolveLoopContext({}, hostContext)).toEqual(settings);
    expect(resolveLoopContext({ tokenCounter: 'o200k_base' }, hostContext)).toEqual(settings);
  });

  it('may lower the budget, and set what is not counted', () => {
    const asked = {
      transcriptTokenBudget: 2000,
      keepLastTurns: 1,
      transcriptWindow: 9,
      strategy: 'none',
    } as const;
    expect(resolveLoopContext(asked, hostContext)).toEqual({ tokenCounter: 'o200k_base', ...asked });
    expect(resolveLoopContext({ transcriptTokenBudget: 8000 }, hostContext)).toMatchObject(given);
  });

  it.each([
    [{ transcriptTokenBudget: 8001 }, 'validation_error', 'transcriptTokenBudget'],
    [{ tokenCounter: 'cl100k_base' as const }, 'validation_error', 'tokenCounter'],
    [{ tokenCounter: 'chars' as const, transcriptTokenBudget: 400 }, 'validation_error', 'tokenCounter'],
    [
      { transcriptTokenBudget: 300, keepLastTurns: 100 },
      'context_budget_infeasible',
      'transcriptTokenBudget',
    ],
    [{ transcriptWindow: 2, keepLastTurns: 3 }, 'context_budget_infeasible', 'transcriptWindow'],
  ])('refuse %j with %s at %s', (request, code, knob) => {
    const refused = (() => {
      try {
        return resolveLoopContext(request, hostContext);
      } catch (error) {
        return error;
      }
    })();
    expect(refused).toMatchObject({ code, details: { field: `configurable.context.${knob}` } });
  });
});
