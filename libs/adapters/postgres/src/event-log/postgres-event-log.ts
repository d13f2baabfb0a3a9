import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import {
  LogPoller,
  type AppendRequest,
  type AppendResult,
  type CommittedEvent,
  type ContextReferencesRequest,
  type EventLog,
  type ForkRequest,
  type ListRunsRequest,
  type LogCursor,
  type LogSubscription,
  type OnGrown,
  type PollOptions,
  type ReadRunRequest,
  type ReEmitRequest,
  type UnfinishedRuns,
  type UnfinishedRunsRequest,
} from '@palimpsest/kernel';
import { createDatabase } from '../connection/create-database.js';
import { withDatabaseErrors } from '../connection/database-errors.js';
import { appendTogether, checkedAppend, recallAppend } from './append-events.js';
import { AppendQueue } from './append-queue.js';
import { contextReferences } from './context-references.js';
import { forkRun } from './fork-run.js';
import { readAll } from './read-all.js';
import { listRuns, readHeader } from './read-headers.js';
import { reEmit } from './re-emit.js';
import { readRun } from './read-run.js';
import type { RunLogTables } from './run-row.js';
import { unfinishedRuns } from './unfinished-runs.js';

export type PostgresEventLogOptions = PollOptions & { readonly onGrown?: OnGrown };

/**
 * The log in the schema `run_log`. A subscription looks every interval, and at once after an append through this
 * object; there is no NOTIFY, whose lock would make all commits of the database wait for each other.
 */
export class PostgresEventLog implements EventLog, UnfinishedRuns {
  private readonly database: Kysely<RunLogTables>;
  private readonly appends: AppendQueue;
  private readonly pollers = new Set<LogPoller>();

  constructor(
    private readonly pool: Pool,
    private readonly options: PostgresEventLogOptions = {},
  ) {
    this.database = createDatabase<RunLogTables>(pool);
    this.appends = new AppendQueue((appends) => appendTogether(pool, appends));
  }

  async append(request: AppendRequest) {
    const result = await withDatabaseErrors(() => this.recorded(request));
    this.hasGrown(request);
    return result;
  }

  header(tenantId: string, runId: string) {
    return withDatabaseErrors(() => readHeader(this.pool, tenantId, runId));
  }

  listRuns(request: ListRunsRequest) {
    return withDatabaseErrors(() => listRuns(this.database, request));
  }

  unfinishedRuns(request: UnfinishedRunsRequest) {
    return withDatabaseErrors(() => unfinishedRuns(this.pool, request));
  }

  readRun(request: ReadRunRequest) {
    return withDatabaseErrors(() => readRun(this.pool, request));
  }

  async fork(request: ForkRequest) {
    const header = await withDatabaseErrors(() => forkRun(this.pool, request));
    this.hasGrown(request);
    return header;
  }

  async reEmit(request: ReEmitRequest) {
    const reEmitted = await withDatabaseErrors(() => reEmit(this.pool, request));
    if (reEmitted) this.hasGrown(request);
    return reEmitted;
  }

  contextReferences(request: ContextReferencesRequest) {
    return withDatabaseErrors(() => contextReferences(this.pool, request));
  }

  readAll(after: LogCursor, limit: number) {
    return withDatabaseErrors(() => readAll(this.pool, after, limit));
  }

  subscribe(after: LogCursor, onBatch: (batch: readonly CommittedEvent[]) => Promise<void>): LogSubscription {
    const readNext = (cursor: LogCursor, limit: number) => this.readAll(cursor, limit);
    const poller = new LogPoller({ after, onBatch, readAll: readNext }, this.options);
    this.pollers.add(poller);
    return {
      close: async () => {
        this.pollers.delete(poller);
        await poller.close();
      },
    };
  }

  private hasGrown({ tenantId, runId }: Pick<AppendRequest, 'tenantId' | 'runId'>): void {
    for (const poller of this.pollers) poller.wake();
    this.options.onGrown?.({ tenantId, runId });
  }

  private async recorded(request: AppendRequest): Promise<AppendResult> {
    const append = checkedAppend(request);
    const head = await this.appends.append(append);
    if (head === undefined) return recallAppend(this.pool, request);
    return { firstSequence: head - append.events.length + 1, lastSequence: head, repeated: false };
  }
}
