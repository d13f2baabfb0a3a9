import {
  appendedEventsSchema,
  contextReferencesSchema,
  eventPageSchema,
  headerAnswerSchema,
  reEmittedSchema,
  RUN_LOG_SUBJECTS,
  runHeaderSchema,
  runListSchema,
  type RunHeader,
} from '@palimpsest/contracts';
import {
  TerminalError,
  type AppendRequest,
  type AppendResult,
  type CommittedEvent,
  type ContextReferences,
  type ContextReferencesRequest,
  type EventLog,
  type EventPage,
  type ForkRequest,
  type ListRunsRequest,
  type LogSubscription,
  type MessageBus,
  type ReadRunRequest,
  type ReEmitRequest,
  type RunList,
} from '@palimpsest/kernel';
import { ask } from './ask.js';

/** A page carries up to 512 KiB; everything else is small. */
const PAGE_TIMEOUT_MS = 5000;
/** Below 2 s with what the caller adds: every request over HTTP begins with one of these questions. */
const TIMEOUT_MS = 1500;

/**
 * The log of another process, asked over request and respond. An append that was sent and not answered
 * (`service_unavailable`) may have been recorded: ask again with its `commandId`, or read the head. The other side
 * refuses members it does not know, so only those of the port are sent, whatever else a request carries.
 */
export class BusEventLog implements EventLog {
  readonly #bus: MessageBus;

  constructor(bus: MessageBus) {
    this.#bus = bus;
  }

  append(request: AppendRequest): Promise<AppendResult> {
    const { tenantId, runId, expectedHead, events, header, workflowId, commandId } = request;
    const at = request.at.toISOString();
    const body = { tenantId, runId, expectedHead, events, at, header, workflowId, commandId };
    return ask(
      this.#bus,
      { subject: RUN_LOG_SUBJECTS.append, body, timeoutMs: PAGE_TIMEOUT_MS },
      appendedEventsSchema,
    );
  }

  async header(tenantId: string, runId: string): Promise<RunHeader | undefined> {
    const question = { subject: RUN_LOG_SUBJECTS.header, body: { tenantId, runId }, timeoutMs: TIMEOUT_MS };
    return (await ask(this.#bus, question, headerAnswerSchema)).header ?? undefined;
  }

  async listRuns(request: ListRunsRequest): Promise<RunList> {
    const { tenantId, limit, cursor, status, workflowId } = request;
    const body = { tenantId, limit, cursor, status, workflowId };
    const question = { subject: RUN_LOG_SUBJECTS.list, body, timeoutMs: TIMEOUT_MS };
    return (await ask(this.#bus, question, runListSchema)) as RunList;
  }

  async readRun(request: ReadRunRequest): Promise<EventPage> {
    const { tenantId, runId, fromSequence, limit, types, backwards, withChain } = request;
    const body = { tenantId, runId, fromSequence, limit, types, backwards, withChain };
    const question = { subject: RUN_LOG_SUBJECTS.read, body, timeoutMs: PAGE_TIMEOUT_MS };
    return (await ask(this.#bus, question, eventPageSchema)) as EventPage;
  }

  fork(request: ForkRequest): Promise<RunHeader> {
    const { tenantId, runId, origin, status, state } = request;
    const body = { tenantId, runId, origin, at: request.at.toISOString(), status, state };
    return ask(
      this.#bus,
      { subject: RUN_LOG_SUBJECTS.fork, body, timeoutMs: PAGE_TIMEOUT_MS },
      runHeaderSchema,
    );
  }

  async reEmit(request: ReEmitRequest): Promise<boolean> {
    const { tenantId, runId, fromRunId, fromSequence, toSequence, header } = request;
    const at = request.at.toISOString();
    const body = { tenantId, runId, fromRunId, fromSequence, toSequence, at, header };
    const question = { subject: RUN_LOG_SUBJECTS.reEmit, body, timeoutMs: PAGE_TIMEOUT_MS };
    return (await ask(this.#bus, question, reEmittedSchema)).reEmitted;
  }

  async contextReferences(request: ContextReferencesRequest): Promise<ContextReferences> {
    const { tenantId, runId, fromSequence, toSequence } = request;
    const body = { tenantId, runId, fromSequence, toSequence };
    const question = { subject: RUN_LOG_SUBJECTS.contextReferences, body, timeoutMs: PAGE_TIMEOUT_MS };
    return (await ask(this.#bus, question, contextReferencesSchema)) as ContextReferences;
  }

  /** The whole log is read beside it only: its readers hold a place in the order of commits. */
  readAll(): Promise<readonly CommittedEvent[]> {
    return Promise.reject(notOffered('readAll'));
  }

  subscribe(): LogSubscription {
    throw notOffered('subscribe');
  }
}

function notOffered(operation: string): TerminalError {
  return new TerminalError('internal_error', 'This is not offered over the bus.', { details: { operation } });
}
