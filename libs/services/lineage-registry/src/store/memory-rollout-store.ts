import type { Selection } from '@palimpsest/contracts/registry';
import { OneAtATime, type Clock } from '@palimpsest/kernel';
import { appliedRollouts } from '../domain/rollout/evolve-rollouts.js';
import {
  familyOf,
  neverLeftOff,
  noRollouts,
  type EnvironmentRollouts,
  type RolloutStanding,
} from '../domain/rollout/rollout.js';
import type { RecordedRolloutEvent, RolloutEvent } from '../domain/rollout/rollout-events.js';
import type { DecideRollout } from './decide-rollout.js';
import type { MemoryTelemetry } from './memory-telemetry.js';
import { answerOf, keptOutcome, outcomeText, type KeptOutcome, type Outcome } from './outcome.js';
import { outcomeOf } from './outcome-of.js';
import type {
  FamilyReading,
  RecordedOf,
  RolloutChange,
  RolloutCommand,
  RolloutEventQuery,
  RolloutSelectionRequest,
  RolloutStore,
} from './rollout-store.js';
import type { DecideSelection } from './select-rollout.js';

type Environment = { rollouts: EnvironmentRollouts; readonly events: RecordedRolloutEvent[] };

/** Rollouts of one process's life, for tests. The clock stands for the database's. */
export class MemoryRolloutStore implements RolloutStore {
  readonly #clock: Clock;
  readonly #telemetry: MemoryTelemetry;
  readonly #environments = new Map<string, Environment>();
  readonly #outcomes = new Map<string, string>();
  readonly #consumed = new Set<string>();
  readonly #turns = new OneAtATime();

  constructor(clock: Clock, telemetry: MemoryTelemetry) {
    this.#clock = clock;
    this.#telemetry = telemetry;
  }

  async decide<Answer extends object>(change: RolloutChange, decide: DecideRollout<Answer>): Promise<Answer> {
    const work = () => this.#decide(change, decide);
    return answerOf(await this.#turns.run(keyOf(change.tenantId, change.environment), work));
  }

  async select(request: RolloutSelectionRequest, decide: DecideSelection): Promise<Selection> {
    const kept = this.#kept<Selection>(request);
    if (kept) return answerOf(kept);
    const { tenantId, environment, family } = request;
    const rollout = familyOf(this.#of(tenantId, environment).rollouts, family);
    const decided = outcomeOf(() => decide(rollout, this.#clock.now().getTime()));
    if ('decided' in decided) this.#telemetry.insert(tenantId, decided.decided.telemetry);
    return answerOf(this.#keep(request, 'decided' in decided ? { answer: decided.decided.answer } : decided));
  }

  async answered<Answer extends object>(command: RolloutCommand): Promise<Answer | undefined> {
    const kept = this.#kept<Answer>(command);
    return kept && answerOf(kept);
  }

  async families(tenantId: string, environment: string): Promise<readonly FamilyReading[]> {
    const { families } = this.#of(tenantId, environment).rollouts;
    const inOrder = [...families.values()].sort((one, other) => (one.family < other.family ? -1 : 1));
    return inOrder.map((rollout) => ({
      rollout,
      isActive: this.#isActive(tenantId, environment, rollout.family),
    }));
  }

  async lastEvents<Type extends RolloutEvent['type']>({
    tenantId,
    environment,
    family,
    type,
    limit,
  }: RolloutEventQuery<Type>): Promise<readonly RecordedOf<Type>[]> {
    const { events } = this.#of(tenantId, environment);
    const ofType = events.filter((event): event is RecordedOf<Type> => event.type === type);
    const ofFamily = ofType.filter(({ payload }) => payload.family === family);
    return limit > 0 ? structuredClone(ofFamily.slice(-limit)) : [];
  }

  /** For the twin of the workgroups' store, which reads it in its decisions. */
  standing(tenantId: string, environment: string, family: string): RolloutStanding {
    const { rollouts } = this.#of(tenantId, environment);
    const { version, stage, canaryPercent } = rollouts.families.get(family) ?? neverLeftOff(family);
    return { environment, family, version, stage, canaryPercent };
  }

  async #decide<Answer extends object>(
    change: RolloutChange,
    decide: DecideRollout<Answer>,
  ): Promise<Outcome<Answer>> {
    const { tenantId, environment, family, measurementRunId } = change;
    const isActive = this.#isActive(tenantId, environment, family);
    const kept = this.#kept<Answer>(change);
    if (kept) return kept;
    const place = this.#of(tenantId, environment);
    const now = this.#clock.now();
    const isConsumed =
      measurementRunId !== undefined && this.#consumed.has(keyOf(tenantId, measurementRunId));
    const decided = outcomeOf(() => decide(place.rollouts, { now: now.getTime(), isActive, isConsumed }));
    if ('refusal' in decided) return this.#keep(change, decided);
    const { events, consumed, answer } = decided.decided;
    const applied = appliedRollouts(place.rollouts, structuredClone(events), now.toISOString());
    place.rollouts = applied.rollouts;
    place.events.push(...applied.events);
    if (consumed) this.#consumed.add(keyOf(tenantId, consumed.measurementRunId));
    return this.#keep(change, { answer });
  }

  #isActive(tenantId: string, environment: string, family: string): boolean {
    const standing = this.standing(tenantId, environment, family);
    return standing.stage !== 'off' && this.#telemetry.hasSelection(tenantId, standing);
  }

  #keep<Answer extends object>(command: RolloutCommand, outcome: Outcome<Answer>): Outcome<Answer> {
    const key = commandKey(command);
    if (key !== undefined) this.#outcomes.set(key, outcomeText(outcome));
    return outcome;
  }

  #kept<Answer extends object>(command: RolloutCommand): Outcome<Answer> | undefined {
    const key = commandKey(command);
    const text = key === undefined ? undefined : this.#outcomes.get(key);
    return text === undefined ? undefined : keptOutcome<Answer>(JSON.parse(text) as KeptOutcome);
  }

  #of(tenantId: string, environment: string): Environment {
    const key = keyOf(tenantId, environment);
    const place = this.#environments.get(key) ?? { rollouts: noRollouts(environment), events: [] };
    this.#environments.set(key, place);
    return place;
  }
}

function commandKey({ tenantId, environment, commandId }: RolloutCommand): string | undefined {
  return commandId === undefined ? undefined : `${keyOf(tenantId, environment)}/${commandId}`;
}

function keyOf(tenantId: string, name: string): string {
  return `${tenantId}/${name}`;
}
