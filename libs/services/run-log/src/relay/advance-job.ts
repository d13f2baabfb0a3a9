import {
  advanceSubject,
  EXTERNAL_WORKFLOW,
  NODE_CANCELLED,
  NODE_RESUMED,
  RUN_CANCELLED,
  RUN_CANCELLING,
  RUN_STARTED,
  type AdvanceRun,
  type RunEvent,
} from '@palimpsest/contracts';
import type { DurableMessage } from '@palimpsest/kernel';

export type JobCause = {
  readonly tenantId: string;
  readonly event: Pick<RunEvent, 'eventId' | 'runId' | 'type' | 'payload'>;
};

/** The orchestrator's job for an event from which its run, or the run that waits for it, may go on; undefined for all others. */
export function advanceJobOf({ tenantId, event }: JobCause): DurableMessage | undefined {
  const runId = mayGoOn(event) ? event.runId : parentOfCancelled(event);
  if (runId === undefined) return undefined;
  const body: AdvanceRun = { tenantId, runId };
  return { id: `advance:${event.eventId}`, subject: advanceSubject(tenantId), body };
}

/** Nodes are the host's to execute, so their events stand in its runs only. */
function mayGoOn({ type, payload }: JobCause['event']): boolean {
  if (type === RUN_STARTED) return payload['workflowId'] !== EXTERNAL_WORKFLOW;
  return type === NODE_RESUMED || type === NODE_CANCELLED || type === RUN_CANCELLING;
}

/** A child that a command cancelled, with no orchestrator at it: its parent waits for its end. */
function parentOfCancelled({ type, payload }: JobCause['event']): string | undefined {
  const { parentRunId } = payload;
  return type === RUN_CANCELLED && typeof parentRunId === 'string' ? parentRunId : undefined;
}
