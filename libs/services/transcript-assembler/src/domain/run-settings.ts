import { ownLoopStateSchema, type ContextSettings, type RunHeader } from '@palimpsest/contracts';
import { NotFoundError, ValidationError } from '@palimpsest/kernel';
import { workflowStateOf } from '@palimpsest/workflow';

/**
 * What the windows of a run are held to. A workflow run without such settings answers `not_found`, as it has no windows;
 * a state of neither kind is a `validation_error`.
 */
export function contextSettingsOf({ runId, state }: RunHeader): ContextSettings {
  const workflow = workflowStateOf(state);
  if (workflow?.context) return workflow.context;
  if (workflow) throw new NotFoundError('A transcript of the run', { runId });
  const ownLoop = ownLoopStateSchema.safeParse(state);
  if (ownLoop.success) return ownLoop.data.context;
  throw new ValidationError('The run has no transcript of its own loop.', { runId });
}
