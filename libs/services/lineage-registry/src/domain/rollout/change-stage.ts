import type { Candidate, ChangeStage, RolloutView } from '@palimpsest/contracts/registry';
import { ValidationError, type TerminalError } from '@palimpsest/kernel';
import {
  familyOf,
  heightOf,
  HIGHEST_WITHOUT_PROMOTION,
  isUnderWay,
  MOST_FAMILIES,
  rungOf,
  type EnvironmentRollouts,
  type FamilyRollout,
  type Rung,
} from './rollout.js';
import type { RolloutDecision, RolloutMoment, StageChangedEvent } from './rollout-events.js';
import {
  EnvironmentFullError,
  InterventionInProgressError,
  PromotionRequiredError,
  StageNotActiveError,
  StageNotNextError,
  VersionConflictError,
} from './rollout-refusals.js';
import { viewOf } from './rollout-view.js';

export type StageChange = Pick<
  ChangeStage,
  'family' | 'stage' | 'canaryPercent' | 'candidate' | 'expectedVersion'
>;

/**
 * An operator's change: a rung up as far as `shadow`, any rung down at any time. From `on` straight to `off` even while
 * another family is under way: that stops an intervention, and starts none.
 */
export function changeStage(
  rollouts: EnvironmentRollouts,
  change: StageChange,
  moment: RolloutMoment,
): RolloutDecision<RolloutView> {
  const rollout = familyOf(rollouts, change.family);
  const to: Rung = { stage: change.stage, canaryPercent: change.canaryPercent ?? null };
  const refusal =
    rungRefusal(to) ??
    versionRefusal(rollout, change.expectedVersion) ??
    stepRefusal(rollout, to) ??
    candidateRefusal(rollout, change.candidate) ??
    roomRefusal(rollouts, rollout) ??
    progressRefusal(rollouts, rollout, to) ??
    activityRefusal(rollout, to, moment);
  if (refusal) throw refusal;
  const event = stageChanged(rollout, to, { by: 'operator', candidate: change.candidate });
  return { events: [event], answer: viewAfter(event, moment) };
}

export function versionRefusal(
  rollout: FamilyRollout,
  expected: number | undefined,
): TerminalError | undefined {
  if (expected === undefined || expected === rollout.version) return undefined;
  return new VersionConflictError(rollout, expected);
}

/** The event of a change that is allowed. A candidate stands from the change that leaves `off` to the one that returns there. */
export function stageChanged(
  rollout: FamilyRollout,
  to: Rung,
  { by, candidate }: { readonly by: 'operator' | 'promotion'; readonly candidate?: Candidate | undefined },
): StageChangedEvent {
  return {
    type: 'palimpsest.rollout.stage_changed',
    payload: {
      family: rollout.family,
      version: rollout.version + 1,
      from: rungOf(rollout),
      to,
      by,
      candidate: to.stage === 'off' ? null : (rollout.candidate ?? candidate ?? null),
    },
  };
}

function viewAfter({ payload }: StageChangedEvent, { now }: RolloutMoment): RolloutView {
  const { family, version, to, candidate } = payload;
  return viewOf({ family, version, ...to, candidate, since: new Date(now).toISOString() }, false);
}

function rungRefusal(to: Rung): TerminalError | undefined {
  if (heightOf(to) >= 0) return undefined;
  return new ValidationError(
    'A percentage of 10, 25 or 50 stands with canary, and none with another stage.',
    {
      field: 'canaryPercent',
    },
  );
}

function stepRefusal(rollout: FamilyRollout, to: Rung): TerminalError | undefined {
  const [before, after] = [heightOf(rollout), heightOf(to)];
  if (after === before)
    return new ValidationError('The rollout is in this stage already.', { field: 'stage' });
  if (after < before) return undefined;
  if (after > HIGHEST_WITHOUT_PROMOTION) return new PromotionRequiredError(rollout, to.stage);
  return after === before + 1 ? undefined : new StageNotNextError(rollout);
}

const CANDIDATE_WANTED =
  'A rollout that leaves off needs a candidate: candidateVersion, corpusVersion and runtimeDigest.';

/** Measurements of another candidate say nothing of this one: who changes it begins again at `off`. */
function candidateRefusal(
  { candidate: recorded, stage }: FamilyRollout,
  given: Candidate | undefined,
): TerminalError | undefined {
  const field = 'candidate';
  if (stage === 'off') return given ? undefined : new ValidationError(CANDIDATE_WANTED, { field });
  if (!given || (recorded && isSame(recorded, given))) return undefined;
  return new ValidationError('Another candidate begins at off.', { field });
}

function isSame(one: Candidate, other: Candidate): boolean {
  return (
    one.candidateVersion === other.candidateVersion &&
    one.corpusVersion === other.corpusVersion &&
    one.runtimeDigest === other.runtimeDigest
  );
}

/** One that is known leaves `off` again at any time. */
function roomRefusal(
  { environment, families }: EnvironmentRollouts,
  { family }: FamilyRollout,
): TerminalError | undefined {
  if (families.has(family) || families.size < MOST_FAMILIES) return undefined;
  return new EnvironmentFullError(environment);
}

function progressRefusal(
  { families }: EnvironmentRollouts,
  { family }: FamilyRollout,
  to: Rung,
): TerminalError | undefined {
  const other = [...families.values()].find((each) => each.family !== family && isUnderWay(each));
  return other && isUnderWay(to) ? new InterventionInProgressError(other.family) : undefined;
}

function activityRefusal(
  rollout: FamilyRollout,
  to: Rung,
  { isActive }: RolloutMoment,
): TerminalError | undefined {
  const isUp = heightOf(to) > heightOf(rollout);
  return isUp && rollout.stage !== 'off' && !isActive ? new StageNotActiveError(rollout) : undefined;
}
