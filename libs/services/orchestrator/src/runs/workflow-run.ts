import { isTerminalStatus, type RunHeader, type WorkflowRunState } from '@palimpsest/contracts';
import { workflowStateOf } from '@palimpsest/workflow';

/** A run that the host executes and that has not ended, as of its head. */
export type WorkflowRun = {
  readonly tenantId: string;
  readonly runId: string;
  readonly head: number;
  readonly state: WorkflowRunState;
  /** Of a fork. A replay goes on behind its source's record, without effects. */
  readonly origin: RunHeader['origin'];
};

/** Undefined where there is nothing to execute: no such run, its loop is the caller's, it has yet to repeat, it has ended. */
export function workflowRunOf(header: RunHeader | undefined): WorkflowRun | undefined {
  const state = workflowStateOf(header?.state);
  if (!header || !state || isTerminalStatus(header.status)) return undefined;
  const { tenantId, runId, head, origin } = header;
  if (head < (state.replayTarget ?? 0)) return undefined;
  return { tenantId, runId, head, state, origin };
}

/** As {@link workflowRunOf}; undefined of a replay, too: nobody waits for anything outside for it. */
export function liveRunOf(header: RunHeader | undefined): WorkflowRun | undefined {
  const run = workflowRunOf(header);
  return run && isReplay(run) ? undefined : run;
}

export function isReplay({ origin }: Pick<WorkflowRun, 'origin'>): boolean {
  return origin?.mode === 'replay';
}
