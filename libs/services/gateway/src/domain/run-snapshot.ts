import {
  isTerminalStatus,
  ownLoopStateSchema,
  type ContextSettings,
  type JsonObject,
  type RunHeader,
  type RunStatus,
} from '@palimpsest/contracts';
import { ENGINE_VERSION, EVENT_LOG_SCHEMA_VERSION } from './versions.js';
import { workflowStateOf } from '@palimpsest/workflow';
import { workflowPart, workflowSummary, type WorkflowPart } from './workflow-snapshot.js';

/** Host specification §3.3, and what an own-loop run adds. */
export type RunSnapshot = Partial<Omit<WorkflowPart, 'configurable'>> & {
  readonly runId: string;
  readonly workflowId: string;
  readonly status: RunStatus;
  readonly owner: { readonly tenant: string };
  readonly startedAt: string;
  readonly completedAt?: string;
  /** A string in version 1 of the protocol. */
  readonly engineVersion: string;
  readonly eventLogSchemaVersion: number;
  readonly configurable?: JsonObject | { readonly context: ContextSettings; readonly [key: string]: unknown };
  readonly tags?: readonly string[];
  readonly metadata?: JsonObject;
  readonly sourceRunId?: string;
  readonly fromSeq?: number;
  readonly mode?: 'replay' | 'branch';
  readonly lastSequence: number;
  readonly lastMessageSequence?: number;
  readonly messageCount?: number;
};

export function runSnapshotOf(header: RunHeader): RunSnapshot {
  const state = workflowStateOf(header.state);
  return { ...commonPart(header), ...(state ? workflowPart(state) : ownLoopPart(header)) };
}

/** As it stands in a list: without what a run was given and what its nodes made of it, which may be large. */
export function runSummaryOf(header: RunHeader): RunSnapshot {
  const state = workflowStateOf(header.state);
  return { ...commonPart(header), ...(state ? workflowSummary(state) : ownLoopPart(header)) };
}

function commonPart(header: RunHeader): RunSnapshot {
  const { origin } = header;
  return {
    runId: header.runId,
    workflowId: header.workflowId,
    status: header.status,
    owner: { tenant: header.tenantId },
    startedAt: header.createdAt,
    ...(isTerminalStatus(header.status) && { completedAt: header.updatedAt }),
    engineVersion: String(ENGINE_VERSION),
    eventLogSchemaVersion: EVENT_LOG_SCHEMA_VERSION,
    ...(origin && { sourceRunId: origin.runId, fromSeq: origin.fromSequence, mode: origin.mode }),
    lastSequence: header.head,
  };
}

/** Nothing for a run of another kind, whose state is its own. */
function ownLoopPart(header: RunHeader): Partial<RunSnapshot> {
  const parsed = ownLoopStateSchema.safeParse(header.state);
  if (!parsed.success) return {};
  const { context, tags, metadata, configurable, lastMessageSequence, messageCount } = parsed.data;
  return {
    configurable: { ...configurable, context },
    ...(tags && { tags }),
    ...(metadata && { metadata }),
    lastMessageSequence,
    messageCount,
  };
}
