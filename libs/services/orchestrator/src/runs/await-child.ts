import type { RunError, WorkflowRunState } from '@palimpsest/contracts';
import type { EffectOutcome } from '@palimpsest/workflow';
import { requirePermit, type EffectPermit } from '@palimpsest/kernel';
import type { ExecutionPorts } from '../orchestrator-ports.js';
import { CHILD_AWAITED, CHILD_END_SEEN, RETURNED_STORED } from '../race-points.js';
import { storeReturned } from './returned-content.js';
import type { WorkflowRun } from './workflow-run.js';

const GONE: RunError = { code: 'child_run_missing', message: 'The child run is not there any more.' };

/**
 * How a child ended, with what it leaves, and what a model is to read of one that completed; undefined while it works. Its
 * log never changes afterwards.
 */
export async function lookAtChild(
  ports: ExecutionPorts,
  run: WorkflowRun,
  { childRunId, permit }: { readonly childRunId: string; readonly permit: EffectPermit },
): Promise<EffectOutcome | undefined> {
  requirePermit(permit, run, 'await-child');
  const { eventLog, races } = ports;
  await races.reach(CHILD_AWAITED);
  const header = await eventLog.header(run.tenantId, childRunId);
  if (!header) return { kind: 'child-ended', childRunId, status: 'failed', error: GONE, variables: {} };
  const { status } = header;
  if (status !== 'completed' && status !== 'failed' && status !== 'cancelled') return undefined;
  await races.reach(CHILD_END_SEEN);
  // The log's writers made this state with `foldWorkflowRun`; it is not checked again.
  const { error, outputs, variables = {} } = header.state as Partial<WorkflowRunState>;
  const returned =
    status === 'completed' && outputs ? await storeReturned(ports, run, { childRunId, outputs }) : undefined;
  if (returned) await races.reach(RETURNED_STORED);
  const result = { ...(returned && { returned }), ...(error && { error }) };
  const left = status === 'completed' ? { ...outputs, ...variables } : variables;
  return { kind: 'child-ended', childRunId, status, variables: left, ...result };
}
