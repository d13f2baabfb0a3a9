import { refuse } from '../answers/context-refusal.js';
import { factOf, factsOf, isUnset, requireFacts, type Facts } from '../json/facts.js';
import { isOneOf, MODES, type Mode } from '../vocabulary/words.js';
import { canaryBucket } from './canary-bucket.js';

export const STAGES = ['off', 'observe', 'shadow', 'canary', 'on'] as const;
export type Stage = (typeof STAGES)[number];

export type RolloutSelection = {
  readonly rollout: Stage;
  readonly execute_recommendation: boolean;
  readonly record_actual: boolean;
  readonly record_recommendation: boolean;
  readonly selected_mode: Mode | null;
  readonly canary_bucket: number | null;
};

/** The two modes as they are known; `null` where there is none. */
type Modes = { readonly actual: Mode | null; readonly recommended: Mode | null };

/** Whether a recommended mode is executed, recorded or neither (contract §8). Deterministic for a corpus id. */
export function selectRollout(input: unknown): RolloutSelection {
  const facts = requireFacts(input);
  const stage = stageOf(facts);
  const actual = modeUnder(facts, 'actual_mode');
  const own = modeUnder(facts, 'recommended_mode');
  return selected(facts, stage, {
    actual,
    recommended: own ?? modeUnder(factsOf(facts, 'recommendation'), 'mode'),
  });
}

/** As {@link selectRollout}, where one mode is both what is done and what is recommended (contract §11, 6). */
export function selectRolloutOf(mode: Mode, input: unknown): RolloutSelection {
  const facts = requireFacts(input);
  return selected(facts, stageOf(facts), { actual: mode, recommended: mode });
}

function selected(facts: Facts, stage: Stage, { actual, recommended }: Modes): RolloutSelection {
  const isExecuting = stage === 'canary' || stage === 'on';
  if (isExecuting && recommended === null) refuse('ROLLOUT_RECOMMENDATION_REQUIRED');
  const canary = stage === 'canary' ? canaryOf(facts) : null;
  const executes = isExecuting && (canary === null || canary.bucket < canary.percent);
  return {
    rollout: stage,
    execute_recommendation: executes,
    record_actual: stage !== 'off',
    record_recommendation: isExecuting || stage === 'shadow',
    selected_mode: executes ? recommended : actual,
    canary_bucket: canary?.bucket ?? null,
  };
}

function stageOf(facts: Facts): Stage {
  const stage = factOf(facts, 'rollout') ?? 'off';
  return isOneOf(STAGES, stage) ? stage : refuse('INVALID_REQUEST');
}

function modeUnder(facts: Facts, name: string): Mode | null {
  const mode = factOf(facts, name);
  if (isUnset(mode)) return null;
  return isOneOf(MODES, mode) ? mode : refuse('INVALID_REQUEST');
}

function canaryOf(facts: Facts): { readonly percent: number; readonly bucket: number } {
  const percent = factOf(facts, 'canary_percent') ?? 10;
  const isPercent = typeof percent === 'number' && percent >= 0 && percent <= 100;
  return isPercent
    ? { percent, bucket: canaryBucket(factOf(facts, 'task_corpus_id')) }
    : refuse('INVALID_REQUEST');
}
