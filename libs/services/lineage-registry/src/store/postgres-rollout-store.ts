import { inTransaction, withDatabaseErrors } from '@palimpsest/adapter-postgres';
import type { Selection } from '@palimpsest/contracts/registry';
import type { Pool } from 'pg';
import type { RolloutEvent } from '../domain/rollout/rollout-events.js';
import { BoundedTurns, type BoundedTurnsOptions } from './bounded-turns.js';
import { decideRollout, type DecideRollout } from './decide-rollout.js';
import { findOutcome } from './keep-outcome.js';
import { answerOf } from './outcome.js';
import { readRolloutEvents } from './read-rollout-events.js';
import { readFamilies } from './rollout-rows.js';
import type {
  FamilyReading,
  RecordedOf,
  RolloutChange,
  RolloutCommand,
  RolloutEventQuery,
  RolloutSelectionRequest,
  RolloutStore,
} from './rollout-store.js';
import { selectInRollout, type DecideSelection } from './select-rollout.js';
import { streamOfRollouts } from './stream-names.js';

/** Needs the migrations of `lineageRegistryMigrations`. A database that cannot be asked is a `ServiceUnavailableError`. */
export class PostgresRolloutStore implements RolloutStore {
  readonly #pool: Pool;
  readonly #turns: BoundedTurns;

  constructor(pool: Pool, options: BoundedTurnsOptions = {}) {
    this.#pool = pool;
    this.#turns = new BoundedTurns('The environment', options);
  }

  async decide<Answer extends object>(change: RolloutChange, decide: DecideRollout<Answer>): Promise<Answer> {
    const work = () =>
      withDatabaseErrors(() => inTransaction(this.#pool, (client) => decideRollout(client, change, decide)));
    return answerOf(await this.#turns.run(`${change.tenantId}/${change.environment}`, work));
  }

  async select(request: RolloutSelectionRequest, decide: DecideSelection): Promise<Selection> {
    const outcome = await withDatabaseErrors(() =>
      inTransaction(this.#pool, (client) => selectInRollout(client, request, decide)),
    );
    return answerOf(outcome);
  }

  async answered<Answer extends object>(command: RolloutCommand): Promise<Answer | undefined> {
    const { tenantId, environment, commandId } = command;
    const key = { tenantId, stream: streamOfRollouts(environment), commandId };
    const outcome = await withDatabaseErrors(() => findOutcome<Answer>(this.#pool, key));
    return outcome && answerOf(outcome);
  }

  families(tenantId: string, environment: string): Promise<readonly FamilyReading[]> {
    return withDatabaseErrors(() => readFamilies(this.#pool, { tenantId, environment }));
  }

  lastEvents<Type extends RolloutEvent['type']>(
    query: RolloutEventQuery<Type>,
  ): Promise<readonly RecordedOf<Type>[]> {
    return withDatabaseErrors(() => readRolloutEvents(this.#pool, query));
  }
}
