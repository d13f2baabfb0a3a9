import {
  advanceSubject,
  EXTERNAL_WORKFLOW,
  NODE_CANCELLED,
  NODE_RESUMED,
  RUN_STARTED,
  type AdvanceRun,
  type RunEvent,
} from '@palimpsest/contracts';
import type { DurableMessage } from '@palimpsest/kernel';

export type JobCause = {
  readonly tenantId: string;
  readonly event: Pick<RunEvent, 'eventId' | 'runId' | 'type' | 'payload'>;
};

/** The orchestrator's job for an event from which its run may go on; undefined for all others. */
export function advanceJobOf({ tenantId, event }: JobCause): DurableMessage | undefined {
  if (!mayGoOn(event)) return undefined;
  const body: AdvanceRun = { tenantId, runId: event.runId };
  return { id: `advance:${event.eventId}`, subject: advanceSubject(tenantId), body };
}

/** Nodes are the host's to execute, so their events stand in its runs only. */
function mayGoOn({ type, payload }: Pick<RunEvent, 'type' | 'payload'>): boolean {
  if (type === RUN_STARTED) return payload['workflowId'] !== EXTERNAL_WORKFLOW;
  return type === NODE_RESUMED || type === NODE_CANCELLED;
}
