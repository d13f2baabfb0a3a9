import type { WorkflowDefinition, WorkflowNode } from '@palimpsest/contracts';
import { isExecuted } from '../node-types/node-types.js';

/** The first node of a type that this engine does not execute (`capability_required`). */
export function offendingNode(definition: WorkflowDefinition): WorkflowNode | undefined {
  return definition.nodes.find(({ typeId }) => !isExecuted(typeId));
}
