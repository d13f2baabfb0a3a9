import type { WorkflowDefinition } from '@palimpsest/contracts';
import { loopPlanOf } from './loop-plan.js';
import { scriptedTurn } from './supervisor-config.js';

export type ModelLoop = { readonly supervisorId: string; readonly dispatchId?: string };

/** The execution loop whose turns a model decides; undefined where a definition has none, or a script decides. */
export function modelLoopOf(definition: Pick<WorkflowDefinition, 'nodes' | 'edges'>): ModelLoop | undefined {
  const { supervisorId, dispatchId } = loopPlanOf(definition);
  const supervisor = definition.nodes.find(({ id }) => id === supervisorId);
  if (supervisorId === undefined || !supervisor || scriptedTurn(supervisor.config, 1)) return undefined;
  return { supervisorId, ...(dispatchId !== undefined && { dispatchId }) };
}
