import { isTerminalStatus } from '@palimpsest/contracts';
import { hasCode, requirePermit, type EffectPermit } from '@palimpsest/kernel';
import type { ExecutionPorts } from '../orchestrator-ports.js';
import { CHILD_CANCELLED } from '../race-points.js';
import type { WorkflowRun } from './workflow-run.js';

/**
 * Tells the children of a run that ends to end before it; answers those that have yet to (host specification §3.4). May be
 * done again: a child that has ended stays as it is.
 */
export async function cancelChildren(
  ports: ExecutionPorts,
  run: WorkflowRun,
  { childRunIds, permit }: { readonly childRunIds: readonly string[]; readonly permit: EffectPermit },
): Promise<readonly string[]> {
  requirePermit(permit, run, 'end-children');
  const living: string[] = [];
  for (const child of childRunIds) if (await isLivingAfterCancel(ports, run, child)) living.push(child);
  return living;
}

async function isLivingAfterCancel(
  { childRuns, eventLog, races }: ExecutionPorts,
  { tenantId, runId }: WorkflowRun,
  child: string,
): Promise<boolean> {
  const header = await eventLog.header(tenantId, child);
  // A fork shares its source's children: they end with that one.
  const parentRunId = header?.state['parentRunId'] ?? runId;
  if (!header || parentRunId !== runId) return false;
  try {
    const { status } = await childRuns.cancelRun({
      tenantId,
      runId: child,
      reason: 'parent-cancelled',
      parentRunId: runId,
    });
    await races.reach(CHILD_CANCELLED);
    return !isTerminalStatus(status);
  } catch (error) {
    if (hasCode(error, 'not_found')) return false;
    throw error;
  }
}
