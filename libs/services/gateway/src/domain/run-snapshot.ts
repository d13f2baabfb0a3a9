import { isTerminalStatus, ownLoopStateSchema, type RunHeader, type RunStatus } from '@palimpsest/contracts';
import type { ContextSettings, JsonObject } from '@palimpsest/contracts';

/** Host specification §3.3, and what an own-loop run adds. */
export type RunSnapshot = {
  readonly runId: string;
  readonly workflowId: string;
  readonly status: RunStatus;
  readonly owner: { readonly tenant: string };
  readonly startedAt: string;
  readonly completedAt?: string;
  readonly configurable?: { readonly context: ContextSettings; readonly [key: string]: unknown };
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
  const { origin } = header;
  return {
    runId: header.runId,
    workflowId: header.workflowId,
    status: header.status,
    owner: { tenant: header.tenantId },
    startedAt: header.createdAt,
    ...(isTerminalStatus(header.status) && { completedAt: header.updatedAt }),
    ...ownLoopPart(header),
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
