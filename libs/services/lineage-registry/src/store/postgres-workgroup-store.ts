import { withDatabaseErrors } from '@palimpsest/adapter-postgres';
import type { CapsuleView, DelegationView } from '@palimpsest/contracts/registry';
import type { Pool } from 'pg';
import type { RecordedWorkgroupEvent } from '../domain/workgroup/workgroup-events.js';
import { BoundedTurns, type BoundedTurnsOptions } from './bounded-turns.js';
import { decideInTransaction, type Decide } from './decide-in-transaction.js';
import { findCapsule } from './find-capsule.js';
import { findDelegation } from './find-delegation.js';
import { findExpired, type WorkgroupKey } from './find-expired.js';
import { findLineage } from './find-lineage.js';
import { forgetCommands } from './forget-commands.js';
import { answerOf } from './outcome.js';
import { readEvents, readLastEvents } from './read-events.js';
import { readWorkgroup } from './read-workgroup.js';
import type {
  EventPage,
  LastEvents,
  LineageReading,
  WorkgroupChange,
  WorkgroupReading,
  WorkgroupStore,
} from './workgroup-store.js';

/** Needs the migrations of `lineageRegistryMigrations`. A database that cannot be asked is a `ServiceUnavailableError`. */
export class PostgresWorkgroupStore implements WorkgroupStore {
  readonly #pool: Pool;
  readonly #turns: BoundedTurns;

  constructor(pool: Pool, options: BoundedTurnsOptions = {}) {
    this.#pool = pool;
    this.#turns = new BoundedTurns('The workgroup', options);
  }

  async decide<Answer extends object>(change: WorkgroupChange, decide: Decide<Answer>): Promise<Answer> {
    const work = () => withDatabaseErrors(() => decideInTransaction(this.#pool, change, decide));
    return answerOf(await this.#turns.run(`${change.tenantId}/${change.workgroupId}`, work));
  }

  read(tenantId: string, workgroupId: string, evicted = 0): Promise<WorkgroupReading | undefined> {
    return withDatabaseErrors(() => readWorkgroup(this.#pool, tenantId, workgroupId, evicted));
  }

  lineage(tenantId: string, lineageId: string): Promise<LineageReading | undefined> {
    return withDatabaseErrors(() => findLineage(this.#pool, tenantId, lineageId));
  }

  events(page: EventPage): Promise<readonly RecordedWorkgroupEvent[]> {
    return withDatabaseErrors(() => readEvents(this.#pool, page));
  }

  lastEvents(last: LastEvents): Promise<readonly RecordedWorkgroupEvent[]> {
    return withDatabaseErrors(() => readLastEvents(this.#pool, last));
  }

  capsule(tenantId: string, workgroupId: string, capsuleHash: string): Promise<CapsuleView | undefined> {
    return withDatabaseErrors(() => findCapsule(this.#pool, tenantId, workgroupId, capsuleHash));
  }

  delegation(
    tenantId: string,
    workgroupId: string,
    delegationId: string,
  ): Promise<DelegationView | undefined> {
    return withDatabaseErrors(() => findDelegation(this.#pool, tenantId, workgroupId, delegationId));
  }

  withExpired(limit: number): Promise<readonly WorkgroupKey[]> {
    return withDatabaseErrors(() => findExpired(this.#pool, limit));
  }

  forgetCommands(): Promise<number> {
    return withDatabaseErrors(() => forgetCommands(this.#pool));
  }
}
