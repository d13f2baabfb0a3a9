import type { JsonObject, WorkflowRunState } from '@palimpsest/contracts';

/**
 * A header's state where it is that of a run that the host executes; undefined where it is another kind's, or nothing yet.
 * The log's writers made it with `foldWorkflowRun`; it is not checked again.
 */
export function workflowStateOf(state: JsonObject | undefined): WorkflowRunState | undefined {
  return state?.['kind'] === 'workflow' ? (state as unknown as WorkflowRunState) : undefined;
}
