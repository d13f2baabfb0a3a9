import type { WorkflowDefinition, WorkflowVersion } from '@palimpsest/contracts';
import { HOST, type DefinitionEntry } from '../definitions/definition-store.js';

/** A definition of one node that does nothing. */
export function definitionOf(id: string, changes: Partial<WorkflowDefinition> = {}): WorkflowDefinition {
  return {
    id,
    name: 'A workflow',
    version: '1',
    nodes: [
      { id: 'noop', typeId: 'core.noop', name: 'Nothing', position: { x: 0, y: 0 }, config: {}, inputs: {} },
    ],
    edges: [],
    triggers: [],
    variables: [],
    metadata: {},
    settings: {},
    ...changes,
  };
}

/** A host's definition under a digest that the spec makes up. */
export function entryOf(
  id: string,
  digest: string,
  changes: Partial<Omit<DefinitionEntry, keyof WorkflowVersion>> = {},
): DefinitionEntry {
  const definition = definitionOf(id, { version: digest });
  return { definition, digest, owner: HOST, fixture: false, ...changes };
}
