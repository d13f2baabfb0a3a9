import type { Pool } from 'pg';
import type { Decide } from '../domain/workgroup/deciding.js';
import { decideCoordinate } from '../domain/workgroup/coordinate.js';
import { decideRelease } from '../domain/workgroup/hold-lineage.js';
import { decideRegister } from '../domain/workgroup/register.js';
import { PostgresWorkgroupStore } from '../store/postgres-workgroup-store.js';
import { WORKGROUP, registerCommand } from './lineage-records.js';

export type Raced<Answer> = {
  readonly answers: readonly Answer[];
  /** Of the refusals, sorted. */
  readonly codes: readonly string[];
};

type Asked = {
  readonly workgroupId?: string;
  readonly lineageIds?: readonly string[];
  readonly commandId?: string;
};

/** Clients of many instances: commands on one workgroup meet in the database, not in a process. */
export class RacingClients {
  readonly #stores: readonly PostgresWorkgroupStore[];

  constructor(
    pool: Pool,
    readonly tenantId: string,
    instances = 16,
  ) {
    this.#stores = Array.from(
      { length: instances },
      () => new PostgresWorkgroupStore(pool, { mostWaitMs: 60_000 }),
    );
  }

  storeOf(client: number): PostgresWorkgroupStore {
    const store = this.#stores[client % this.#stores.length];
    if (!store) throw new TypeError('There is no instance.');
    return store;
  }

  ask<Command, Answer extends object>(
    client: number,
    decide: Decide<Command, Answer>,
    command: Command,
    { workgroupId = WORKGROUP, ...asked }: Asked = {},
  ): Promise<Answer> {
    const change = { tenantId: this.tenantId, workgroupId, ...asked };
    return this.storeOf(client).decide(change, (workgroup, { now }) => decide(workgroup, command, now));
  }

  /** All at once. */
  async race<Answer>(clients: number, ask: (client: number) => Promise<Answer>): Promise<Raced<Answer>> {
    const settled = await Promise.allSettled(Array.from({ length: clients }, (_, client) => ask(client)));
    return {
      answers: settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])),
      codes: settled.flatMap((each) => (each.status === 'rejected' ? [codeOf(each.reason)] : [])).sort(),
    };
  }

  coordinate(workgroupId = WORKGROUP, client = 0) {
    return this.ask(client, decideCoordinate, { tenantId: this.tenantId, workgroupId }, { workgroupId });
  }

  register(lineageId: string, changes: Parameters<typeof registerCommand>[1] = {}, client = 0) {
    const { tenantId } = this;
    const command = registerCommand(lineageId, { tenantId, ...changes });
    return this.ask(client, decideRegister, command, {
      workgroupId: command.workgroupId,
      lineageIds: [lineageId],
    });
  }

  /** Registered, and released again; the fence that it had. */
  async idle(lineageId: string, changes: Parameters<typeof registerCommand>[1] = {}): Promise<number> {
    const { fence } = await this.register(lineageId, changes);
    await this.ask(0, decideRelease, { tenantId: this.tenantId, lineageId, fence });
    return fence;
  }

  events(workgroupId = WORKGROUP) {
    const { tenantId } = this;
    return this.storeOf(0).events({ tenantId, workgroupId, after: -1, limit: 5000 });
  }
}

function codeOf(error: unknown): string {
  return String((error as { readonly code?: unknown }).code ?? error);
}
