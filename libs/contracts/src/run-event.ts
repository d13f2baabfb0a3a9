import { z } from 'zod';
import type { EventLink } from './event-link.js';
import { runIdSchema, sequenceSchema, tenantIdSchema } from './ids.js';
import type { JsonObject } from './json.js';
import type { RunStatus } from './run-status.js';
import type { TokenCounts } from './token-counts.js';

/** The public envelope of one log row (`RunEventDoc`, host specification §3.6). */
export type RunEvent = {
  readonly eventId: string;
  readonly runId: string;
  readonly type: string;
  readonly payload: JsonObject;
  /** ISO 8601 with milliseconds, UTC. When it was recorded; order is the sequence. */
  readonly timestamp: string;
  readonly sequence: number;
  readonly schemaVersion: number;
  readonly nodeId?: string;
  readonly causationId?: string;
};

/** A log row as services see it: the envelope and the counts of the full rendering, computed once, at append. */
export type RecordedEvent = RunEvent & {
  readonly counts?: TokenCounts;
  /** Only where it was asked for; absent where the run has no chain. */
  readonly chain?: EventLink;
};

/** What a writer hands to the log. The log gives sequence, event id and envelope. */
export type NewRunEvent = {
  readonly type: string;
  readonly payload: JsonObject;
  readonly schemaVersion: number;
  readonly nodeId?: string;
  readonly causationId?: string;
  readonly counts?: TokenCounts;
};

/** What the relay publishes for a committed event: never its payload. */
export type RunEventNotice = Omit<RunEvent, 'payload'> & { readonly tenantId: string };

/** What consumers of notices go by; a newer relay may say more. */
export const runEventNoticeSchema = z.looseObject({
  tenantId: tenantIdSchema,
  runId: runIdSchema,
  eventId: z.string().min(1),
  type: z.string().min(1),
  sequence: sequenceSchema,
});

export const TERMINAL_EVENT_TYPES = ['run.completed', 'run.failed', 'run.cancelled'] as const;

export function isTerminalEventType(type: string): boolean {
  return (TERMINAL_EVENT_TYPES as readonly string[]).includes(type);
}

/** Status of an own-loop run whose last event is of this type: such a run never waits on the host. */
export function ownLoopStatusAfter(type: string): RunStatus {
  switch (type) {
    case 'run.completed':
      return 'completed';
    case 'run.failed':
      return 'failed';
    case 'run.cancelled':
      return 'cancelled';
    default:
      return 'running';
  }
}
