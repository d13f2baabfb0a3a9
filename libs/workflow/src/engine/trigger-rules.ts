import type { TriggerRule } from '@palimpsest/contracts';

/** What an edge has become: `success` where its source completed and its condition holds. */
export type EdgeOutcome = 'pending' | 'success' | 'failed' | 'skipped';

export type Readiness = 'wait' | 'start' | 'skip';

type Rule = {
  /** Decided as soon as one edge has become this. */
  readonly atOnce: Partial<Record<EdgeOutcome, Readiness>>;
  /** Decided when no edge is pending, otherwise. */
  readonly atLast: Readiness;
};

const RULES: Readonly<Record<TriggerRule, Rule>> = {
  all_success: { atOnce: { failed: 'skip', skipped: 'skip' }, atLast: 'start' },
  any_success: { atOnce: { success: 'start' }, atLast: 'skip' },
  all_complete: { atOnce: {}, atLast: 'start' },
  none_failed: { atOnce: { failed: 'skip' }, atLast: 'start' },
  any_failed: { atOnce: { failed: 'start' }, atLast: 'skip' },
};

/** Whether a node starts, given what its incoming edges have become; not for a node without any. */
export function readinessOf(rule: TriggerRule, outcomes: readonly EdgeOutcome[]): Readiness {
  const { atOnce, atLast } = RULES[rule];
  const deciding = outcomes.find((outcome) => atOnce[outcome] !== undefined);
  if (deciding) return atOnce[deciding] ?? atLast;
  return outcomes.includes('pending') ? 'wait' : atLast;
}
