import { selectRollout, type RolloutSelection } from '@palimpsest/context-efficiency';
import type { Select, Selection } from '@palimpsest/contracts/registry';
import { ValidationError } from '@palimpsest/kernel';
import type { DecidedTelemetry } from '../workgroup/decision.js';
import { byContract } from './by-contract.js';
import { decisionTelemetry, type SelectedMode } from './decision-telemetry.js';
import type { FamilyRollout } from './rollout.js';

export type SelectionDecision = {
  readonly answer: Selection;
  /** What is done first, then what is recommended; nothing in `off`. */
  readonly telemetry: readonly DecidedTelemetry[];
};

export type SelectionMoment = {
  /** The database's clock, in milliseconds. */
  readonly now: number;
  /** For the event of what is done, where one is recorded. */
  readonly eventId: string;
};

/**
 * The selector (contract §8) in the recorded stage, whatever the caller believes, and the events, which make the stage active.
 * Throws `ContextRefusedError` for what the contract refuses, and `ValidationError` for a recommendation without reasons.
 */
export function select(rollout: FamilyRollout, command: Select, moment: SelectionMoment): SelectionDecision {
  requireReasons(command);
  const selection = byContract(() =>
    selectRollout({
      rollout: rollout.stage,
      canary_percent: rollout.canaryPercent,
      actual_mode: command.actualMode,
      recommended_mode: command.recommendedMode,
      task_corpus_id: command.taskCorpusId,
    }),
  );
  const telemetry = byContract(() => telemetryOf(rollout, { command, selection, moment }));
  const answer = answerOf(rollout, command, selection);
  const [done] = telemetry;
  return { answer: done ? { ...answer, eventId: done.id } : answer, telemetry };
}

/** In every stage, so that a caller learns of it before the stage changes. */
function requireReasons({ recommendedMode, reasonCodes = [] }: Select): void {
  if (recommendedMode === undefined || reasonCodes.length > 0) return;
  throw new ValidationError('A recommendation says why it is made.', { field: 'reasonCodes' });
}

function answerOf(rollout: FamilyRollout, command: Select, selection: RolloutSelection): Selection {
  return {
    environment: command.environment,
    family: command.family,
    stage: rollout.stage,
    canaryPercent: rollout.canaryPercent,
    executeRecommendation: selection.execute_recommendation,
    recordActual: selection.record_actual,
    recordRecommendation: selection.record_recommendation,
    selectedMode: selection.selected_mode,
    canaryBucket: selection.canary_bucket,
  };
}

type Selected = {
  readonly command: Select;
  readonly selection: RolloutSelection;
  readonly moment: SelectionMoment;
};

/** Reasons that come with a recommendation are its own; without one they are of what is done. */
function telemetryOf(
  { version }: FamilyRollout,
  { command, selection, moment: { now, eventId } }: Selected,
): readonly DecidedTelemetry[] {
  const { environment, family, provider = 'other', taskCorpusId } = command;
  const about = { observed_at: new Date(now).toISOString(), task_corpus_id: taskCorpusId, provider };
  return decisionTelemetry(modesOf(command, selection), {
    rollout: { environment, family, version },
    id: eventId,
    about,
  });
}

function modesOf(
  { actualMode, recommendedMode, reasonCodes = [] }: Select,
  selection: RolloutSelection,
): SelectedMode {
  const actual = { mode: actualMode, reasonCodes: recommendedMode === undefined ? reasonCodes : [] };
  const recommended = recommendedMode && { mode: recommendedMode, reasonCodes };
  return { selection, actual, recommended };
}
