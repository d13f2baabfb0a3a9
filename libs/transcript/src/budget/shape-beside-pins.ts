import type { ContextSettings } from '@palimpsest/contracts';
import { shapeBudget, type BudgetVerdict } from './budget-shape.js';

/** What the pins of a run take of every window. */
export type PinnedShare = {
  /** In the run's unit. */
  readonly tokens: number;
  readonly entries: number;
};

/**
 * As {@link shapeBudget}, of what pins leave: they come first, in tokens and in entries. Where that is infeasible, the
 * least budget and window with the pins.
 */
export function shapeBesidePins(settings: ContextSettings, { tokens, entries }: PinnedShare): BudgetVerdict {
  const { transcriptTokenBudget, transcriptWindow } = settings;
  const verdict = shapeBudget({
    ...settings,
    transcriptTokenBudget: transcriptTokenBudget - tokens,
    ...(transcriptWindow !== undefined && { transcriptWindow: transcriptWindow - entries }),
  });
  if (verdict.feasible) return verdict;
  const { minimumBudget, minimumTranscriptWindow } = verdict;
  return {
    feasible: false,
    minimumBudget: minimumBudget + tokens,
    minimumTranscriptWindow: minimumTranscriptWindow + entries,
  };
}
