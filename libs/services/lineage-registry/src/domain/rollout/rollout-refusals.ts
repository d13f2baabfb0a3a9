import type { RolloutStage } from '@palimpsest/contracts/registry';
import { TerminalError } from '@palimpsest/kernel';
import { heightOf, LADDER, MOST_FAMILIES, rungOf, type FamilyRollout, type Rung } from './rollout.js';

/** The family has another version than the caller saw. */
export class VersionConflictError extends TerminalError {
  constructor({ family, version }: FamilyRollout, expectedVersion: number) {
    super('version_conflict', 'The rollout has moved on: what was expected is not its version.', {
      details: { family, expectedVersion, actualVersion: version },
    });
  }
}

/** Rungs are taken one at a time. `next`: the one above, null at the last. */
export class StageNotNextError extends TerminalError {
  constructor(rollout: FamilyRollout) {
    const next = LADDER[heightOf(rollout) + 1] ?? null;
    super('stage_not_next', `The rollout is at ${rollout.stage}: ${nextText(next)}`, {
      details: { ...standing(rollout), next },
    });
  }
}

/** A step is refused for its place below `shadow` or at the top only. */
function nextText(next: Rung | null): string {
  return next ? `its next stage is ${next.stage}. Promotion begins at shadow.` : 'no stage is above it.';
}

export class PromotionRequiredError extends TerminalError {
  constructor(rollout: FamilyRollout, wanted: RolloutStage) {
    super('promotion_required', 'Above shadow a rung is taken by a promotion.', {
      details: { ...standing(rollout), wanted },
    });
  }
}

export class StageNotActiveError extends TerminalError {
  constructor(rollout: FamilyRollout) {
    super('stage_not_active', 'The selector has recorded nothing yet in the stage in which the rollout is.', {
      details: standing(rollout),
    });
  }
}

/** `family` is the one that is under way. */
export class InterventionInProgressError extends TerminalError {
  constructor(family: string) {
    super('intervention_in_progress', 'Another intervention is under way in this environment.', {
      details: { family },
    });
  }
}

/** The family would be one too many of those that ever left `off`. */
export class EnvironmentFullError extends TerminalError {
  constructor(environment: string) {
    super('environment_full', 'The environment has as many families of interventions as it may.', {
      details: { environment, limit: MOST_FAMILIES },
    });
  }
}

function standing(rollout: FamilyRollout) {
  return { family: rollout.family, version: rollout.version, ...rungOf(rollout) };
}
