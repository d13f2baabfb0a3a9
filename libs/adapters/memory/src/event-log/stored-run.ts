import {
  eventIdOf,
  type ForkOrigin,
  type JsonObject,
  type NewRunEvent,
  type RecordedEvent,
  type RunHeader,
  type RunStatus,
} from '@palimpsest/contracts';
import {
  causationInFork,
  lineageOfFork,
  type AppendRequest,
  type AppendResult,
  type ForkLineage,
  type ForkRequest,
  type StorableEvent,
} from '@palimpsest/kernel';

/** Payloads are kept as text, so that nobody holds an object of the log. */
export type StoredEvent = {
  readonly runId: string;
  readonly sequence: number;
  readonly event: Omit<NewRunEvent, 'payload'>;
  readonly payloadJson: string;
  readonly payloadBytes: number;
  readonly timestamp: string;
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
};

/** A run before its first append. */
export function newRun({ tenantId, runId, workflowId = '', at }: AppendRequest): StoredRun {
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
    commands: new Map(),
  };
}

export function storeEvents(run: StoredRun, events: readonly StorableEvent[], at: Date): StoredEvent[] {
  const stored = events.map(({ event, payloadJson }, place) => {
    const { payload: _, ...envelope } = event;
    return {
      runId: run.runId,
      sequence: run.events.length + place,
      event: envelope,
      payloadJson,
      payloadBytes: Buffer.byteLength(payloadJson),
      timestamp: at.toISOString(),
    };
  });
  run.events.push(...stored);
  return stored;
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
  };
}
