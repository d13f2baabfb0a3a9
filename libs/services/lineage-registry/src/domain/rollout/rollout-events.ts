import type { Candidate, Promotion } from '@palimpsest/contracts/registry';
import type { Rung } from './rollout.js';

/** Figures that the gates judge (contract §12.2), by their names there; null for infinity and for what is unknown. */
export type Figures = Readonly<Record<string, number | boolean | null | Readonly<Record<string, number>>>>;

/** What happened to an environment's rollouts. No time of its own: the store stamps each with the database's. */
export type RolloutEvent = StageChangedEvent | PromotionEvaluatedEvent;

export type StageChangedEvent = {
  readonly type: 'palimpsest.rollout.stage_changed';
  readonly payload: {
    readonly family: string;
    /** The family's, from this change on. */
    readonly version: number;
    readonly from: Rung;
    readonly to: Rung;
    readonly by: 'operator' | 'promotion';
    /** What stands for measurements from now on; null in `off`. */
    readonly candidate: Candidate | null;
  };
};

/** A promotion that was asked for and evaluated, whichever way it went. */
export type PromotionEvaluatedEvent = {
  readonly type: 'palimpsest.rollout.promotion_evaluated';
  readonly payload: {
    readonly family: string;
    /** Of the family's state that was evaluated. */
    readonly version: number;
    readonly promoted: boolean;
    readonly from: Rung;
    /** The rung that was asked for. */
    readonly to: Rung;
    /** With their thresholds. */
    readonly gates: Promotion['gates'];
    readonly figures: Figures;
    /** Against which the envelope was held. */
    readonly candidate: Candidate | null;
    /** Null where the envelope has none that is well formed. */
    readonly measurementRunId: string | null;
    readonly evidenceArtifactId: string;
  };
};

/** An event at its place, at the database's time (ISO 8601 with milliseconds). */
export type RecordedRolloutEvent = RolloutEvent & { readonly sequence: number; readonly recordedAt: string };

/** A measurement run that a promotion uses up: no other is granted by it, wherever in the tenant. */
export type ConsumedRun = {
  readonly measurementRunId: string;
  readonly family: string;
  readonly evidenceArtifactId: string;
};

/** What a command comes to. A decider throws a refusal instead: nothing was decided. */
export type RolloutDecision<Answer> = {
  readonly events: readonly RolloutEvent[];
  readonly consumed?: ConsumedRun;
  readonly answer: Answer;
};

/** What a decision may look at besides the state. */
export type RolloutMoment = {
  /** The database's clock once the environment is locked, in milliseconds. */
  readonly now: number;
  /** The selector was called in the family's present version and its event recorded. */
  readonly isActive: boolean;
  /** The measurement run that the change names was used up by a promotion. */
  readonly isConsumed: boolean;
};
