import type { ContextSettings } from '@palimpsest/contracts';
import { TerminalError } from '@palimpsest/kernel';
import { shapeBudget, type BudgetShape } from '@palimpsest/transcript';
import { pinTokensOf, type Pin } from './pins.js';

/** How a window's budget is divided beside its pins. */
export type WindowShape = BudgetShape & {
  /** With pins the shape may be smaller than the one that turns were fed in: such a turn can have outgrown its share. */
  readonly pinned: boolean;
};

export type WindowShapeVerdict =
  | { readonly feasible: true; readonly shape: WindowShape }
  | { readonly feasible: false; readonly minimumBudget: number };

/** Pins come first, in tokens and in entries; turns and summaries share what they leave. */
export function shapeBeside(pins: readonly Pin[], settings: ContextSettings): WindowShapeVerdict {
  const pinTokens = pinTokensOf(pins);
  const { transcriptTokenBudget, transcriptWindow } = settings;
  const verdict = shapeBudget({
    ...settings,
    transcriptTokenBudget: transcriptTokenBudget - pinTokens,
    ...(transcriptWindow !== undefined && { transcriptWindow: transcriptWindow - pins.length }),
  });
  return verdict.feasible
    ? { feasible: true, shape: { ...verdict.shape, pinned: pins.length > 0 } }
    : { feasible: false, minimumBudget: verdict.minimumBudget + pinTokens };
}

/** As {@link shapeBeside}; throws `context_budget_infeasible` where the turns to keep have no room beside the pins. */
export function feasibleShape(pins: readonly Pin[], settings: ContextSettings): WindowShape {
  const verdict = shapeBeside(pins, settings);
  if (verdict.feasible) return verdict.shape;
  throw new TerminalError(
    'context_budget_infeasible',
    'The budget is too small for the settings of the run and its pins.',
    { details: { minimumBudget: verdict.minimumBudget } },
  );
}
