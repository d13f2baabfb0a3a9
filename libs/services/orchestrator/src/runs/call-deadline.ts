import type { WorkflowDefinition } from '@palimpsest/contracts';
import { nodeStateOf, type Effect } from '@palimpsest/workflow';
import type { WorkflowRun } from './workflow-run.js';

/**
 * When a call of a model is of no use any more: the run has been active for longer than it may, or a node of the type
 * `core.ai.*` has taken its time. What else becomes due meanwhile waits for the call: it would have to be made again.
 */
export function callDeadline(
  { state }: Pick<WorkflowRun, 'state'>,
  effect: Effect,
  { nodes }: Pick<WorkflowDefinition, 'nodes'>,
): Date | undefined {
  const ends: number[] = [];
  if (state.activeSince !== undefined)
    ends.push(Date.parse(state.activeSince) + state.bounds.maxRunDurationMs - state.activeMs);
  if (effect.kind === 'ask-model' || effect.kind === 'perform') {
    const node = nodeStateOf(state, effect.nodeId);
    const timeout = nodes.find(({ id }) => id === effect.nodeId)?.settings?.timeout ?? 0;
    if (node?.status === 'running' && timeout > 0) ends.push(Date.parse(node.startedAt) + timeout);
  }
  return ends.length > 0 ? new Date(Math.min(...ends)) : undefined;
}
