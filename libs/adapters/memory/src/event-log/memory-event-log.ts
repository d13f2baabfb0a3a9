import {
  checkForkPoint,
  checkReEmissionHeads,
  checkReEmissionRange,
  contextReferencesOf,
  LogPoller,
  NotFoundError,
  sameForkOrConflict,
  SequenceConflictError,
  storableEvents,
  storableJson,
  type AppendRequest,
  type AppendResult,
  type CommittedEvent,
  type ContextReferences,
  type ContextReferencesRequest,
  type EventLog,
  type EventPage,
  type ForkRequest,
  type ListRunsRequest,
  type LogCursor,
  type LogSubscription,
  type OnGrown,
  type PollOptions,
  type ReadRunRequest,
  type ReEmitRequest,
  type RunList,
  type UnfinishedRun,
  type UnfinishedRuns,
  type UnfinishedRunsRequest,
} from '@palimpsest/kernel';
import type { RunHeader } from '@palimpsest/contracts';
import { nodeContentHash } from '../artifact-store/node-content-hash.js';
import { pageOf, readPage } from './event-page.js';
import { listOf, unfinishedOf } from './run-list.js';
import {
  forkOf,
  headerOf,
  newRun,
  recordedEvent,
  reEmittedEvents,
  storeEvents,
  unlinked,
  type StoredEvent,
  type StoredRun,
  type Unlinked,
} from './stored-run.js';

type Committed = { readonly tenantId: string; readonly stored: StoredEvent; readonly transaction: number };

type Written = Omit<AppendRequest, 'expectedHead' | 'events'>;

export type MemoryEventLogOptions = PollOptions & { readonly onGrown?: OnGrown };

/** The log in one process, for tests and for the bus's twin. Nothing survives the object. */
export class MemoryEventLog implements EventLog, UnfinishedRuns {
  private readonly runs = new Map<string, StoredRun>();
  private readonly committed: Committed[] = [];
  private readonly pollers = new Set<LogPoller>();
  private transactions = 0;

  constructor(private readonly options: MemoryEventLogOptions = {}) {}

  async append(request: AppendRequest): Promise<AppendResult> {
    const events = storableEvents(nodeContentHash, request).map(unlinked);
    const run = this.find(request.tenantId, request.runId);
    const recalled = request.commandId === undefined ? undefined : run?.commands.get(request.commandId);
    if (recalled) return { ...recalled, repeated: true };
    const head = run ? run.events.length - 1 : -1;
    const fits = request.expectedHead === 'no-run' ? !run : run && request.expectedHead === head;
    if (!fits) throw new SequenceConflictError(request.runId, request.expectedHead, head);
    return this.write(request, events);
  }

  async header(tenantId: string, runId: string): Promise<RunHeader | undefined> {
    const run = this.find(tenantId, runId);
    return run && headerOf(run);
  }

  async listRuns(request: ListRunsRequest): Promise<RunList> {
    return listOf(this.runs.values(), request);
  }

  async unfinishedRuns(request: UnfinishedRunsRequest): Promise<readonly UnfinishedRun[]> {
    return unfinishedOf(this.runs.values(), request);
  }

  async readRun(request: ReadRunRequest): Promise<EventPage> {
    const run = this.find(request.tenantId, request.runId);
    return run ? readPage(run, request) : { events: [] };
  }

  async fork(request: ForkRequest): Promise<RunHeader> {
    const { tenantId, runId, origin } = request;
    const stateJson = storableJson(request.state, 'state');
    const standing = this.find(tenantId, runId);
    if (standing) return sameForkOrConflict(headerOf(standing), request);
    const source = this.find(tenantId, origin.runId);
    if (!source) throw new NotFoundError('The run to fork', { runId: origin.runId });
    checkForkPoint(source.events.length - 1, request);
    const fork = forkOf(source, request, stateJson);
    this.runs.set(runKey(tenantId, runId), fork);
    this.options.onGrown?.({ tenantId, runId });
    return headerOf(fork);
  }

  async reEmit(request: ReEmitRequest): Promise<boolean> {
    checkReEmissionRange(request);
    const { tenantId, runId, fromRunId, fromSequence, toSequence } = request;
    const run = this.find(tenantId, runId);
    const source = this.find(tenantId, fromRunId);
    const [own, there] = [run, source].map((one) => one && one.events.length - 1);
    checkReEmissionHeads(request, { own, source: there });
    if (!source) return false;
    const { at, header } = request;
    const events = reEmittedEvents(source, { runId, from: fromSequence, to: toSequence });
    this.write({ tenantId, runId, at, ...(header && { header }) }, events);
    return true;
  }

  async contextReferences(request: ContextReferencesRequest): Promise<ContextReferences> {
    const { tenantId, runId, fromSequence, toSequence } = request;
    const events = this.find(tenantId, runId)?.events.slice(fromSequence, toSequence + 1) ?? [];
    return contextReferencesOf(
      events.map((stored) => recordedEvent(runId, stored, {})),
      fromSequence,
    );
  }

  async readAll(after: LogCursor, limit: number): Promise<readonly CommittedEvent[]> {
    const from = Number(after.position);
    const batch = pageOf(this.committed.slice(from, from + limit), limit, ({ stored }) => stored);
    return batch.map(({ tenantId, stored, transaction }, place) => ({
      tenantId,
      event: recordedEvent(stored.runId, stored, {}),
      cursor: { transactionId: String(transaction), position: String(from + place + 1) },
    }));
  }

  subscribe(after: LogCursor, onBatch: (batch: readonly CommittedEvent[]) => Promise<void>): LogSubscription {
    const readAll = (cursor: LogCursor, limit: number) => this.readAll(cursor, limit);
    const poller = new LogPoller({ after, onBatch, readAll }, this.options);
    this.pollers.add(poller);
    return {
      close: async () => {
        this.pollers.delete(poller);
        await poller.close();
      },
    };
  }

  private find(tenantId: string, runId: string): StoredRun | undefined {
    return this.runs.get(runKey(tenantId, runId));
  }

  private write(request: Written, events: readonly Unlinked[]): AppendResult {
    const { tenantId, runId, header = {}, at, commandId } = request;
    const stateJson = header.state && storableJson(header.state, 'header.state');
    const run = this.find(tenantId, runId) ?? newRun(request);
    this.runs.set(runKey(tenantId, runId), run);
    const stored = storeEvents(run, events, at);
    run.updatedAt = at;
    run.status = header.status ?? run.status;
    run.stateJson = stateJson ?? run.stateJson;
    const lastSequence = run.events.length - 1;
    const result = { firstSequence: run.events.length - stored.length, lastSequence, repeated: false };
    if (commandId !== undefined) run.commands.set(commandId, result);
    this.commit(tenantId, stored);
    this.options.onGrown?.({ tenantId, runId });
    return result;
  }

  private commit(tenantId: string, stored: readonly StoredEvent[]): void {
    this.transactions += 1;
    for (const event of stored)
      this.committed.push({ tenantId, stored: event, transaction: this.transactions });
    for (const poller of this.pollers) poller.wake();
  }
}

function runKey(tenantId: string, runId: string): string {
  return `${tenantId}/${runId}`;
}
