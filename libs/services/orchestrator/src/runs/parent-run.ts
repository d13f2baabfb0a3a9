import {
  advanceSubject,
  isTerminalStatus,
  STREAMS,
  type RunHeader,
  type WorkflowRunState,
} from '@palimpsest/contracts';
import { permitEffects, requirePermit, type PermittedRun } from '@palimpsest/kernel';
import type { ExecutionPorts } from '../orchestrator-ports.js';
import { CHILD_ENDED } from '../race-points.js';

/** The run that waits for this one; a fork has nobody who waits for it. */
export function parentOf({ state, origin }: Pick<RunHeader, 'state' | 'origin'>): string | undefined {
  const { kind, parentRunId } = state;
  return kind === 'workflow' && !origin && typeof parentRunId === 'string' ? parentRunId : undefined;
}

/** Has the parent of a run that ended looked at. Done before the child's own job is: told twice is as good as once. */
export async function tellParent(
  { bus, races }: ExecutionPorts,
  run: PermittedRun,
  parentRunId: string,
): Promise<void> {
  requirePermit(permitEffects(run), run, 'advance-job');
  const { tenantId, runId } = run;
  await races.reach(CHILD_ENDED);
  await bus.publish(STREAMS.advance, {
    id: `advance:child-ended:${runId}`,
    subject: advanceSubject(tenantId),
    body: { tenantId, runId: parentRunId },
  });
}

/**
 * True where a run that has not begun is a child whose parent ended meanwhile: the parent was cancelled while somebody
 * was about to start this one.
 */
export async function isOrphan({ eventLog }: ExecutionPorts, header: RunHeader): Promise<boolean> {
  const parentRunId = parentOf(header);
  if (parentRunId === undefined) return false;
  const parent = await eventLog.header(header.tenantId, parentRunId);
  if (!parent) return false;
  const { cancelling, failing } = parent.state as Partial<WorkflowRunState>;
  return isTerminalStatus(parent.status) || cancelling !== undefined || failing !== undefined;
}
