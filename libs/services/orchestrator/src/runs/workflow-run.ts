import { isTerminalStatus, type RunHeader, type WorkflowRunState } from '@palimpsest/contracts';
import { workflowStateOf } from '@palimpsest/workflow';

/** A run that the host executes and that has not ended, as of its head. */
export type WorkflowRun = {
  readonly tenantId: string;
  readonly runId: string;
  readonly head: number;
  readonly state: WorkflowRunState;
};

/** Undefined where there is nothing to execute: no such run, its loop is the caller's, it repeats another run, it has ended. */
export function workflowRunOf(header: RunHeader | undefined): WorkflowRun | undefined {
  const state = workflowStateOf(header?.state);
  if (!header || !state || isTerminalStatus(header.status)) return undefined;
  const { tenantId, runId, head, origin } = header;
  if (origin?.mode === 'replay' || head < (state.replayTarget ?? 0)) return undefined;
  return { tenantId, runId, head, state };
}
