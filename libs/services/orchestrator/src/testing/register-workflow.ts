import type { WorkflowDefinition } from '@palimpsest/contracts';
import { HOST } from '../definitions/definition-store.js';
import { workflowVersionOf } from '../definitions/workflow-version.js';
import { definitionOf } from './definitions.js';
import type { WorkflowHarness } from './workflow-harness.js';

type NodeConfig = WorkflowDefinition['nodes'][number]['config'];

const NODE = { position: { x: 0, y: 0 }, inputs: {} };

/** Puts a definition of the host in force. */
export async function registerWorkflow(
  { stores, now }: WorkflowHarness,
  id: string,
  changes: Partial<WorkflowDefinition>,
): Promise<void> {
  const version = workflowVersionOf(definitionOf(id, changes));
  await stores.definitions.put({ ...version, owner: HOST, fixture: false }, now);
}

/** A supervisor and a dispatch, linked both ways. */
export function loopWith(
  config: NodeConfig,
  more: Partial<WorkflowDefinition['nodes'][number]> = {},
): Partial<WorkflowDefinition> {
  return {
    nodes: [
      { ...NODE, id: 's', typeId: 'core.orchestrator.supervisor', name: 's', config, ...more },
      { ...NODE, id: 'd', typeId: 'core.dispatch', name: 'd', config: {} },
    ],
    edges: [
      { id: 'e1', sourceNodeId: 's', targetNodeId: 'd' },
      { id: 'e2', sourceNodeId: 'd', targetNodeId: 's' },
    ],
  };
}

/** One node that a model answers for. */
export function modelNode(
  typeId: string,
  config: NodeConfig,
  more: Partial<WorkflowDefinition['nodes'][number]> = {},
): Partial<WorkflowDefinition> {
  return { nodes: [{ ...NODE, id: 'n', typeId, name: 'n', config, ...more }] };
}
