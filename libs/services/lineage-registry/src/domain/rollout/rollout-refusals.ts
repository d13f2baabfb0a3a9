import type { RolloutStage } from '@palimpsest/contracts/registry';
import { TerminalError } from '@palimpsest/kernel';
import { rungOf, type FamilyRollout } from './rollout.js';

/** The family has another version than the caller saw. */
export class VersionConflictError extends TerminalError {
  constructor({ family, version }: FamilyRollout, expectedVersion: number) {
    super('version_conflict', 'The rollout has moved on: what was expected is not its version.', {
      details: { family, expectedVersion, actualVersion: version },
    });
  }
}

/** Rungs are taken one at a time. */
export class StageNotNextError extends TerminalError {
  constructor(rollout: FamilyRollout) {
    super('stage_not_next', 'No such step leads from the stage in which the rollout is.', {
      details: standing(rollout),
    });
  }
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

function standing(rollout: FamilyRollout) {
  return { family: rollout.family, version: rollout.version, ...rungOf(rollout) };
}
