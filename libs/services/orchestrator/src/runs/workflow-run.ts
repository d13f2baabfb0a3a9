import { isTerminalStatus, type RunHeader, type WorkflowRunState } from '@palimpsest/contracts';

/** A run that the host executes and that has not ended, as of its head. */
export type WorkflowRun = {
  readonly tenantId: string;
  readonly runId: string;
  readonly head: number;
  readonly state: WorkflowRunState;
};

/** Undefined where there is nothing to execute: no such run, its loop is the caller's, it repeats another run, it has ended. */
export function workflowRunOf(header: RunHeader | undefined): WorkflowRun | undefined {
  if (!header || header.state['kind'] !== 'workflow' || isTerminalStatus(header.status)) return undefined;
  const { tenantId, runId, head, origin } = header;
  // The log's writers made this state with `foldWorkflowRun`; it is not checked again.
  const state = header.state as unknown as WorkflowRunState;
  if (origin?.mode === 'replay' || head < (state.replayTarget ?? 0)) return undefined;
  return { tenantId, runId, head, state };
}
