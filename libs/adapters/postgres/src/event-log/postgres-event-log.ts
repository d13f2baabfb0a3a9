import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import {
  LogPoller,
  type AppendRequest,
  type AppendResult,
  type CommittedEvent,
  type EventLog,
  type ForkRequest,
  type ListRunsRequest,
  type LogCursor,
  type LogSubscription,
  type PollOptions,
  type ReadRunRequest,
} from '@palimpsest/kernel';
import { createDatabase } from '../connection/create-database.js';
import { withDatabaseErrors } from '../connection/database-errors.js';
import { appendTogether, checkedAppend, recallAppend } from './append-events.js';
import { AppendQueue } from './append-queue.js';
import { forkRun } from './fork-run.js';
import { readAll } from './read-all.js';
import { listRuns, readHeader } from './read-headers.js';
import { readRun } from './read-run.js';
import type { RunLogTables } from './run-row.js';

/**
 * The log in the schema `run_log`. A subscription looks every interval, and at once after an append through this
 * object; there is no NOTIFY, whose lock would make all commits of the database wait for each other.
 */
export class PostgresEventLog implements EventLog {
  private readonly database: Kysely<RunLogTables>;
  private readonly appends: AppendQueue;
  private readonly pollers = new Set<LogPoller>();

  constructor(
    private readonly pool: Pool,
    private readonly polling: PollOptions = {},
  ) {
    this.database = createDatabase<RunLogTables>(pool);
    this.appends = new AppendQueue((appends) => appendTogether(pool, appends));
  }

  async append(request: AppendRequest) {
    const result = await withDatabaseErrors(() => this.recorded(request));
    for (const poller of this.pollers) poller.wake();
    return result;
  }

  header(tenantId: string, runId: string) {
    return withDatabaseErrors(() => readHeader(this.pool, tenantId, runId));
  }

  listRuns(request: ListRunsRequest) {
    return withDatabaseErrors(() => listRuns(this.database, request));
  }

  readRun(request: ReadRunRequest) {
    return withDatabaseErrors(() => readRun(this.pool, request));
  }

  fork(request: ForkRequest) {
    return withDatabaseErrors(() => forkRun(this.pool, request));
  }

  readAll(after: LogCursor, limit: number) {
    return withDatabaseErrors(() => readAll(this.pool, after, limit));
  }

  subscribe(after: LogCursor, onBatch: (batch: readonly CommittedEvent[]) => Promise<void>): LogSubscription {
    const readNext = (cursor: LogCursor, limit: number) => this.readAll(cursor, limit);
    const poller = new LogPoller({ after, onBatch, readAll: readNext }, this.polling);
    this.pollers.add(poller);
    return {
      close: async () => {
        this.pollers.delete(poller);
        await poller.close();
      },
    };
  }

  private async recorded(request: AppendRequest): Promise<AppendResult> {
    const append = checkedAppend(request);
    const head = await this.appends.append(append);
    if (head === undefined) return recallAppend(this.pool, request);
    return { firstSequence: head - append.events.length + 1, lastSequence: head, repeated: false };
  }
}
