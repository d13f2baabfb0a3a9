import type { JsonObject, JsonValue, WorkflowRunState } from '@palimpsest/contracts';
import { nodeStateOf } from '../fold/node-state-of.js';

/** What a value of a node or of a condition may look at. */
export type Scope = {
  readonly inputs: JsonObject;
  readonly variables: JsonObject;
  /** Undefined where the node has not completed. */
  outputsOf(nodeId: string): JsonObject | undefined;
  /** Outputs of all nodes in sight that completed, by node id. */
  nodes(): JsonObject;
};

/**
 * The run as its nodes `visible` see it: only what lies upstream, so that a value does not hang on how fast other
 * branches are.
 */
export function scopeOf(state: WorkflowRunState, visible: () => Iterable<string>): Scope {
  const outputsOf = (nodeId: string) => {
    const node = nodeStateOf(state, nodeId);
    return node?.status === 'completed' ? node.outputs : undefined;
  };
  return {
    inputs: state.inputs,
    variables: state.variables,
    outputsOf,
    nodes: () => Object.fromEntries([...visible()].flatMap((id) => entryOf(id, outputsOf(id)))),
  };
}

function entryOf(nodeId: string, outputs: JsonObject | undefined): [string, JsonObject][] {
  return outputs ? [[nodeId, outputs]] : [];
}

/** A member of its own; a key may be called `constructor`. */
export function memberOf(object: JsonObject | undefined, key: string): JsonValue | undefined {
  return object && Object.hasOwn(object, key) ? object[key] : undefined;
}
