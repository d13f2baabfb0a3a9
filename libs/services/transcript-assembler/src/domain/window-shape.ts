import type { ContextSettings } from '@palimpsest/contracts';
import { TerminalError } from '@palimpsest/kernel';
import { shapeBesidePins, type BudgetShape, type BudgetVerdict } from '@palimpsest/transcript';
import { pinTokensOf, type Pin } from './pins.js';

/** How a window's budget is divided beside its pins. */
export type WindowShape = BudgetShape & {
  /** With pins the shape may be smaller than the one that turns were fed in: such a turn can have outgrown its share. */
  readonly pinned: boolean;
};

export type WindowShapeVerdict =
  | { readonly feasible: true; readonly shape: WindowShape }
  | Extract<BudgetVerdict, { readonly feasible: false }>;

/** Pins come first, in tokens and in entries; turns and summaries share what they leave. */
export function shapeBeside(pins: readonly Pin[], settings: ContextSettings): WindowShapeVerdict {
  const verdict = shapeBesidePins(settings, { tokens: pinTokensOf(pins), entries: pins.length });
  if (!verdict.feasible) return verdict;
  return { feasible: true, shape: { ...verdict.shape, pinned: pins.length > 0 } };
}

/** As {@link shapeBeside}; throws `context_budget_infeasible` where the turns to keep have no room beside the pins. */
export function feasibleShape(pins: readonly Pin[], settings: ContextSettings): WindowShape {
  const verdict = shapeBeside(pins, settings);
  if (verdict.feasible) return verdict.shape;
  const { minimumBudget, minimumTranscriptWindow } = verdict;
  throw new TerminalError(
    'context_budget_infeasible',
    'The budget is too small for the settings of the run and its pins.',
    { details: { minimumBudget, minimumTranscriptWindow } },
  );
}
