import type { EventLog } from '@palimpsest/kernel';
import type { WorkflowRun } from './workflow-run.js';

/**
 * The run that was executed where a replay's record began: its source, or that of the replay which its source is. What a
 * replay appends itself names this one, so that all replays of one record are equal (host specification §6.6). Undefined
 * of a run that is no replay.
 */
export async function recordedAsOf(
  { eventLog }: { readonly eventLog: Pick<EventLog, 'header'> },
  { tenantId, origin }: Pick<WorkflowRun, 'tenantId' | 'origin'>,
): Promise<string | undefined> {
  let executed: string | undefined;
  for (let from = origin; from?.mode === 'replay';) {
    executed = from.runId;
    from = (await eventLog.header(tenantId, executed))?.origin;
  }
  return executed;
}
