import {
  eventIdOf,
  type EventLink,
  type ForkOrigin,
  type JsonObject,
  type NewRunEvent,
  type RecordedEvent,
  type RunHeader,
  type RunStatus,
} from '@palimpsest/contracts';
import {
  causationInFork,
  causeInFork,
  forkLink,
  genesisLink,
  lineageOfFork,
  linkAfter,
  type AppendRequest,
  type AppendResult,
  type ForkLineage,
  type ForkRequest,
  type StorableEvent,
} from '@palimpsest/kernel';
import { nodeContentHash } from '../artifact-store/node-content-hash.js';

/** Payloads are kept as text, so that nobody holds an object of the log. */
export type StoredEvent = {
  readonly runId: string;
  readonly sequence: number;
  readonly event: Omit<NewRunEvent, 'payload'>;
  readonly payloadJson: string;
  readonly payloadBytes: number;
  readonly timestamp: string;
  readonly contentHash: string;
  readonly link: string;
};

export type StoredRun = {
  readonly tenantId: string;
  readonly runId: string;
  readonly workflowId: string;
  readonly createdAt: Date;
  readonly origin?: ForkOrigin;
  readonly lineage: ForkLineage;
  /** All events of the run in order, those it shares included. */
  readonly events: StoredEvent[];
  readonly commands: Map<string, AppendResult>;
  updatedAt: Date;
  status: RunStatus;
  stateJson: string;
  /** Of the last event, or of the beginning. */
  link: string;
};

/** A run before its first append. */
export function newRun({
  tenantId,
  runId,
  workflowId = '',
  at,
}: Pick<AppendRequest, 'tenantId' | 'runId' | 'workflowId' | 'at'>): StoredRun {
  return {
    tenantId,
    runId,
    workflowId,
    createdAt: at,
    updatedAt: at,
    status: 'pending',
    stateJson: '{}',
    lineage: {},
    events: [],
    link: genesisLink(nodeContentHash, tenantId, runId),
    commands: new Map(),
  };
}

export function forkOf(source: StoredRun, request: ForkRequest, stateJson: string): StoredRun {
  const { tenantId, runId, origin, at, status } = request;
  return {
    tenantId,
    runId,
    workflowId: source.workflowId,
    createdAt: at,
    updatedAt: at,
    status,
    stateJson,
    origin,
    lineage: lineageOfFork(source.lineage, origin),
    events: source.events.slice(0, origin.fromSequence),
    link: beginningOf(source, request),
    commands: new Map(),
  };
}

function beginningOf(source: StoredRun, { tenantId, runId, origin, at }: ForkRequest): string {
  const shared = source.events[origin.fromSequence - 1];
  const before = shared?.link ?? genesisLink(nodeContentHash, tenantId, source.runId);
  return forkLink(nodeContentHash, before, { tenantId, runId, origin, createdAt: at.toISOString() });
}

/** An event without its place in a run's chain. */
export type Unlinked = Pick<StoredEvent, 'event' | 'payloadJson' | 'contentHash'>;

export function unlinked({ event, payloadJson, contentHash }: StorableEvent): Unlinked {
  const { payload: _, ...envelope } = event;
  return { event: envelope, payloadJson, contentHash };
}

export function storeEvents(run: StoredRun, events: readonly Unlinked[], at: Date): StoredEvent[] {
  const first = run.events.length;
  for (const { event, payloadJson, contentHash } of events) {
    const timestamp = at.toISOString();
    const { causationId } = event;
    run.link = linkAfter(nodeContentHash, run.link, { contentHash, timestamp, causationId });
    run.events.push({
      runId: run.runId,
      sequence: run.events.length,
      event,
      payloadJson,
      payloadBytes: Buffer.byteLength(payloadJson),
      timestamp,
      contentHash,
      link: run.link,
    });
  }
  return run.events.slice(first);
}

/** A stretch of the source's history as another run records it. */
export function reEmittedEvents(
  source: StoredRun,
  { runId, from, to }: { readonly runId: string; readonly from: number; readonly to: number },
): Unlinked[] {
  return source.events.slice(from, to + 1).map((stored) => {
    const { causationId } = recordedEvent(source.runId, stored, source.lineage);
    const cause =
      causationId === undefined ? {} : { causationId: causeInFork(causationId, source.runId, runId) };
    return { ...stored, event: { ...stored.event, ...cause } };
  });
}

/** The event as `runId` shows it: its own, or one that it shares with an ancestor. */
export function recordedEvent(runId: string, stored: StoredEvent, lineage: ForkLineage): RecordedEvent {
  const { type, schemaVersion, nodeId, causationId, counts } = stored.event;
  const shared = stored.runId !== runId;
  return {
    eventId: eventIdOf(runId, stored.sequence),
    runId,
    type,
    payload: JSON.parse(stored.payloadJson) as JsonObject,
    timestamp: stored.timestamp,
    sequence: stored.sequence,
    schemaVersion,
    ...(nodeId !== undefined && { nodeId }),
    ...(causationId !== undefined && {
      causationId: shared ? causationInFork(runId, lineage, causationId) : causationId,
    }),
    ...(counts && { counts }),
  };
}

/** The link of an event, and what it was made of. */
export function chainOf({ runId, event, contentHash, link }: StoredEvent): EventLink {
  const { causationId } = event;
  return {
    writtenIn: runId,
    ...(causationId !== undefined && { causationId }),
    contentHash,
    link,
  };
}

export function headerOf(run: StoredRun): RunHeader {
  return {
    tenantId: run.tenantId,
    runId: run.runId,
    workflowId: run.workflowId,
    status: run.status,
    head: run.events.length - 1,
    createdAt: run.createdAt.toISOString(),
    updatedAt: run.updatedAt.toISOString(),
    state: JSON.parse(run.stateJson) as JsonObject,
    ...(run.origin && { origin: run.origin }),
    link: run.link,
  };
}
