import type { JsonObject, WorkflowRunState } from '@palimpsest/contracts';
import { nodeStateOf } from '../fold/node-state-of.js';
import type { RunPlan } from './run-plan.js';

/** Of the primary node; else of the only last node that completed; else of all of those, by node id. */
export function runOutputs(state: WorkflowRunState, plan: RunPlan): JsonObject {
  const completed = plan.nodes.flatMap((node) => {
    const nodeState = nodeStateOf(state, node.id);
    return nodeState?.status === 'completed' ? [{ node, outputs: nodeState.outputs }] : [];
  });
  const primary = completed.find(({ node }) => node.outputRole === 'primary');
  if (primary) return primary.outputs;
  const last = completed.filter(({ node }) => plan.outgoing(node.id).length === 0);
  const only = last.length === 1 ? last[0] : undefined;
  return only?.outputs ?? Object.fromEntries(last.map(({ node, outputs }) => [node.id, outputs]));
}
