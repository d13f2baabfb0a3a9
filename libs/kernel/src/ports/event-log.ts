import type {
  ForkOrigin,
  JsonObject,
  NewRunEvent,
  RecordedEvent,
  RunHeader,
  RunStatus,
} from '@palimpsest/contracts';

/** What the writer believes the head of the run to be: a sequence, or that the run is not there yet. */
export type ExpectedHead = number | 'no-run';

/** Columns of a run that change together with its log, in the same transaction. */
export type HeaderChange = {
  readonly status?: RunStatus;
  /** Replaces the state whole. */
  readonly state?: JsonObject;
};

export type AppendRequest = {
  readonly tenantId: string;
  readonly runId: string;
  readonly expectedHead: ExpectedHead;
  readonly events: readonly NewRunEvent[];
  readonly at: Date;
  readonly header?: HeaderChange;
  /** Required with `expectedHead: 'no-run'`. */
  readonly workflowId?: string;
  /** A second append of the run with the same id writes nothing and returns the first one's place. */
  readonly commandId?: string;
};

export type AppendResult = {
  readonly firstSequence: number;
  readonly lastSequence: number;
  /** True where the command had been recorded before. */
  readonly repeated: boolean;
};

export type ReadRunRequest = {
  readonly tenantId: string;
  readonly runId: string;
  /** First sequence wanted; ascending from here, descending from here with `backwards`. */
  readonly fromSequence: number;
  /** At most this many; never more than 500, and a page ends early at 512 KiB of payload. */
  readonly limit?: number;
  readonly types?: readonly string[];
  readonly backwards?: boolean;
  /** Each event with its link. */
  readonly withChain?: boolean;
};

export type EventPage = {
  readonly events: readonly RecordedEvent[];
  /** Where to read on; absent at the end. */
  readonly next?: number;
};

/** A place in the order of commits. Opaque to callers; positions are strings, as they pass 2^53. */
export type LogCursor = { readonly transactionId: string; readonly position: string };

export const LOG_START: LogCursor = { transactionId: '0', position: '0' };

export type CommittedEvent = {
  readonly tenantId: string;
  readonly event: RecordedEvent;
  readonly cursor: LogCursor;
};

export type ListRunsRequest = {
  readonly tenantId: string;
  readonly limit: number;
  readonly cursor?: string;
  readonly status?: RunStatus;
  readonly workflowId?: string;
};

export type RunList = { readonly runs: readonly RunHeader[]; readonly nextCursor?: string };

export type ForkRequest = {
  readonly tenantId: string;
  readonly runId: string;
  readonly origin: ForkOrigin;
  readonly at: Date;
  readonly status: RunStatus;
  /** State as of `origin.fromSequence`. */
  readonly state: JsonObject;
};

export type ReEmitRequest = {
  readonly tenantId: string;
  /** Its head must be `fromSequence − 1`. */
  readonly runId: string;
  readonly fromRunId: string;
  /** First and last sequence, both included; at most `RE_EMIT_EVENTS`. */
  readonly fromSequence: number;
  readonly toSequence: number;
  readonly at: Date;
  readonly header?: HeaderChange;
};

export type ContextReferencesRequest = {
  readonly tenantId: string;
  readonly runId: string;
  /** First and last sequence, both included. */
  readonly fromSequence: number;
  readonly toSequence: number;
};

/** What the recorded context of a stretch of a run refers to; everything once, in no order. */
export type ContextReferences = {
  /** Artifacts of the summaries that are recorded in it. */
  readonly summaries: readonly string[];
  /** Artifacts of the texts that its windows feed in a cut form. */
  readonly renderings: readonly string[];
  /** Sequences, before the stretch, of the summaries that its windows feed. */
  readonly earlierSummaries: readonly number[];
  /** Where to ask on; absent at the end of the stretch. */
  readonly next?: number;
};

export type LogSubscription = { close(): Promise<void> };

/**
 * The append-only log, source of truth. Sequences are dense from 0 per run. A conflict is a
 * `SequenceConflictError`; nothing is ever changed or removed.
 */
export interface EventLog {
  append(request: AppendRequest): Promise<AppendResult>;
  header(tenantId: string, runId: string): Promise<RunHeader | undefined>;
  listRuns(request: ListRunsRequest): Promise<RunList>;
  /** A fork reads its source's events below `fromSequence` as its own (ids mapped, payloads untouched). */
  readRun(request: ReadRunRequest): Promise<EventPage>;
  /**
   * Starts a run that shares its source's events below `origin.fromSequence`. Idempotent for the same run id
   * and origin; the same id with another origin is a `SequenceConflictError`. The source must exist.
   */
  fork(request: ForkRequest): Promise<RunHeader>;
  /**
   * Appends another run's events as they were recorded, at the same sequences, without their leaving the log: a cause
   * that the source has in its own log is named in this one. True when it is done; false, and nothing written, where the
   * events are older than the chain that they would have to join: then they are read and appended. A head elsewhere
   * is a `SequenceConflictError`, a range that the source does not have `NotFoundError`.
   */
  reEmit(request: ReEmitRequest): Promise<boolean>;
  /**
   * What windows and summaries of a stretch refer to, without the events: from the start of the stretch as far as
   * `CONTEXT_REFERENCES` events and references go, one event at least.
   */
  contextReferences(request: ContextReferencesRequest): Promise<ContextReferences>;
  /**
   * Committed events of all runs in commit order after a cursor, at most `limit`. Never returns an event
   * whose transaction could still be preceded by one that is open, so a cursor skips nothing.
   */
  readAll(after: LogCursor, limit: number): Promise<readonly CommittedEvent[]>;
  /** Calls back with batches after the cursor, in order, one at a time, until closed. A failed call is made again. */
  subscribe(after: LogCursor, onBatch: (batch: readonly CommittedEvent[]) => Promise<void>): LogSubscription;
}

export type UnfinishedRunsRequest = {
  readonly updatedBefore: Date;
  readonly limit: number;
  /** Behind this one, in the order of tenant and run. */
  readonly after?: { readonly tenantId: string; readonly runId: string };
};

export type UnfinishedRun = { readonly tenantId: string; readonly runId: string; readonly head: number };

/** Beside the log, for its own service. */
export interface UnfinishedRuns {
  /**
   * Runs that the host executes (no own loops, no replays), that have not ended, do not only wait for answers (a branch
   * that goes on gives their state an `activeSince`), and whose log has not grown since `updatedBefore`. Of all tenants,
   * ordered by tenant and run.
   */
  unfinishedRuns(request: UnfinishedRunsRequest): Promise<readonly UnfinishedRun[]>;
}

/** Told after a run's log has grown: durable by then, seen by every later read. Must not throw. */
export type OnGrown = (run: { readonly tenantId: string; readonly runId: string }) => void;
