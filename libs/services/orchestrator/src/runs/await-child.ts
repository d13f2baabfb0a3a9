import type { RunError, WorkflowRunState } from '@palimpsest/contracts';
import type { EffectOutcome } from '@palimpsest/workflow';
import type { ExecutionPorts } from '../orchestrator-ports.js';
import { CHILD_AWAITED, CHILD_END_SEEN } from '../race-points.js';
import type { WorkflowRun } from './workflow-run.js';

const GONE: RunError = { code: 'child_run_missing', message: 'The child run is not there any more.' };

/** How a child ended, with its variables as of then and the outputs of one that completed; undefined while it works. Its log never changes afterwards. */
export async function lookAtChild(
  { eventLog, races }: ExecutionPorts,
  { tenantId }: WorkflowRun,
  childRunId: string,
): Promise<EffectOutcome | undefined> {
  await races.reach(CHILD_AWAITED);
  const header = await eventLog.header(tenantId, childRunId);
  if (!header) return { kind: 'child-ended', childRunId, status: 'failed', error: GONE, variables: {} };
  const { status } = header;
  if (status !== 'completed' && status !== 'failed' && status !== 'cancelled') return undefined;
  await races.reach(CHILD_END_SEEN);
  // The log's writers made this state with `foldWorkflowRun`; it is not checked again.
  const { error, outputs, variables = {} } = header.state as Partial<WorkflowRunState>;
  const result = status === 'completed' && outputs ? { outputs } : {};
  return { kind: 'child-ended', childRunId, status, variables, ...result, ...(error && { error }) };
}
