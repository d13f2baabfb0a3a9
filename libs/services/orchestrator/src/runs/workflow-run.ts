import type { NewRunEvent, RunHeader, WorkflowRunState } from '@palimpsest/contracts';
import { isTerminalStatus } from '@palimpsest/contracts';
import { foldWorkflowRun } from '@palimpsest/workflow';

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

/** The state once events stand after the head, recorded at `at`: a function of the log and of nothing else. */
export function stateAfter(run: WorkflowRun, events: readonly NewRunEvent[], at: Date): WorkflowRunState {
  const timestamp = at.toISOString();
  return events.reduce(
    (state, event, place) => foldWorkflowRun(state, { ...event, sequence: run.head + 1 + place, timestamp }),
    run.state,
  );
}
