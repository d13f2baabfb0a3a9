import type { Selection } from '@palimpsest/contracts/registry';
import type { EnvironmentRollouts, FamilyRollout } from '../domain/rollout/rollout.js';
import type {
  RecordedRolloutEvent,
  RolloutDecision,
  RolloutEvent,
  RolloutMoment,
} from '../domain/rollout/rollout-events.js';
import type { SelectionDecision } from '../domain/rollout/select.js';

export type RolloutCommand = {
  readonly tenantId: string;
  readonly environment: string;
  /** The same id again: the same answer or refusal, nothing decided anew. */
  readonly commandId?: string | undefined;
};

export type RolloutSelectionRequest = RolloutCommand & { readonly family: string };

export type RolloutChange = RolloutCommand & {
  readonly family: string;
  /** Looked up in the ledger, for `RolloutMoment.isConsumed`. */
  readonly measurementRunId?: string | undefined;
};

/** A family, and whether its selector was called in its present version and the event recorded; never so in `off`. */
export type FamilyReading = { readonly rollout: FamilyRollout; readonly isActive: boolean };

export type RolloutEventQuery<Type extends RolloutEvent['type']> = {
  readonly tenantId: string;
  readonly environment: string;
  readonly family: string;
  readonly type: Type;
  readonly limit: number;
};

export type RecordedOf<Type extends RolloutEvent['type']> = Extract<
  RecordedRolloutEvent,
  { readonly type: Type }
>;

/**
 * Rollouts: a stream of events for each environment, and the state that follows from it, changed in one transaction under one
 * lock. Deciders are pure and throw their refusals, which are kept and answered like answers.
 */
export interface RolloutStore {
  /**
   * Locks the environment, decides, appends; of two commands the second decides on what the first left. `decide` is called
   * a second time where a promotion elsewhere in the tenant has just used up the measurement run: then it is consumed.
   */
  decide<Answer extends object>(
    change: RolloutChange,
    decide: (rollouts: EnvironmentRollouts, moment: RolloutMoment) => RolloutDecision<Answer>,
  ): Promise<Answer>;
  /** Decides on the recorded stage without a lock: a selection beside a change is one before it, and its event says so. */
  select(
    request: RolloutSelectionRequest,
    decide: (rollout: FamilyRollout, now: number) => SelectionDecision,
  ): Promise<Selection>;
  /** The answer that a command got; throws the refusal that it got; undefined where it has not come. */
  answered<Answer extends object>(command: RolloutCommand): Promise<Answer | undefined>;
  /** Families that ever left `off`, in the order of their names. */
  families(tenantId: string, environment: string): Promise<readonly FamilyReading[]>;
  /** The newest events of a family of one type, at most `limit`, oldest first. */
  lastEvents<Type extends RolloutEvent['type']>(
    query: RolloutEventQuery<Type>,
  ): Promise<readonly RecordedOf<Type>[]>;
}
