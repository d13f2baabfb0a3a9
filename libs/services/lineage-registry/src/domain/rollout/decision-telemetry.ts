import { recordEvent, type Facts, type Reason, type RolloutSelection } from '@palimpsest/context-efficiency';
import type { ContextMode } from '@palimpsest/contracts/registry';
import type { DecidedTelemetry } from '../workgroup/decision.js';
import type { RolloutStanding } from './rollout.js';

/** A mode, and why. */
export type ReasonedMode = { readonly mode: ContextMode; readonly reasonCodes: readonly string[] };

export type SelectedMode = {
  readonly selection: RolloutSelection;
  /** How it is done where the recommendation is not executed; without reasons one stands for it. */
  readonly actual: ReasonedMode;
  readonly recommended: ReasonedMode | undefined;
};

export type DecidedPlace = {
  readonly rollout: Pick<RolloutStanding, 'environment' | 'family' | 'version'>;
  readonly id: string;
  /** What both events say besides: `observed_at`, `provider`, `task_corpus_id` (contract §7.2). */
  readonly about: Facts;
};

/**
 * What stands for a mode that was done where nobody said why: the reason that alone leads to it (contract §4.4). Of `local`
 * there is none: nobody said that it is cheaper or blocking; what would have been done otherwise is not known, so it
 * counts as what is left.
 */
const REASON_OF_MODE: Readonly<Record<ContextMode, Reason>> = {
  local: 'CAPABILITY_FALLBACK',
  resume: 'RESUME_COMPATIBLE',
  'inherit-full': 'HIGH_CONTEXT_AFFINITY',
  'inherit-recent': 'BOUNDED_RECENT_CONTEXT',
  'fresh-capsule': 'INDEPENDENT_CAPSULE',
  'coordinated-team': 'TEAM_COORDINATION_REQUIRED',
};

/**
 * A selection as efficiency events (contract §7, §8): under the id what is done, where the stage records that, with the
 * reasons that belong to it; under `<id>:recommended` what is recommended, where it records that, with its own. Refuses reasons
 * of a recommendation wherever anything is recorded, so that a caller learns of them before the stage changes.
 */
export function decisionTelemetry(selected: SelectedMode, place: DecidedPlace): readonly DecidedTelemetry[] {
  const { selection, recommended } = selected;
  if (!selection.record_actual) return [];
  const done = eventOf(doneIn(selected), place);
  const other = recommended && eventOf(recommended, place);
  if (!other || !selection.record_recommendation) return [done];
  return [done, { ...other, id: `${place.id}:recommended`, isRecommendation: true }];
}

function doneIn({ selection, actual, recommended }: SelectedMode): ReasonedMode {
  if (selection.execute_recommendation && recommended) return recommended;
  const { mode, reasonCodes } = actual;
  return { mode, reasonCodes: reasonCodes.length > 0 ? reasonCodes : [REASON_OF_MODE[mode]] };
}

function eventOf(
  { mode, reasonCodes }: ReasonedMode,
  { rollout, id, about }: DecidedPlace,
): DecidedTelemetry {
  const event = recordEvent({
    event: { ...about, event: 'dispatch_decision', mode, reason_codes: reasonCodes },
  });
  const { environment, family, version: rolloutVersion } = rollout;
  return { environment, family, rolloutVersion, id, event };
}
