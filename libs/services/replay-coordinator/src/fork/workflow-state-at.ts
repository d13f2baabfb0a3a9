import type { RunHeader, WorkflowRunState } from '@palimpsest/contracts';
import { readEvents, type EventLog } from '@palimpsest/kernel';
import { foldWorkflowRun, shiftTimes } from '@palimpsest/workflow';

/**
 * The state that an executed run's events below `sequence` add up to, as if they had happened just now; undefined for
 * none. Bounds on node executions keep such logs short, so it is always folded from the start.
 */
export async function workflowStateAt(
  eventLog: EventLog,
  source: RunHeader,
  { sequence, now }: { readonly sequence: number; readonly now: Date },
): Promise<WorkflowRunState | undefined> {
  const { tenantId, runId } = source;
  let state: WorkflowRunState | undefined;
  let last = now.getTime();
  for await (const event of readEvents(eventLog, { tenantId, runId, from: 0, to: sequence - 1 })) {
    state = foldWorkflowRun(state, event);
    last = Date.parse(event.timestamp);
  }
  return state && shiftTimes(state, now.getTime() - last);
}
