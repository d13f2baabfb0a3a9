import type { JsonObject, JsonValue, WorkflowEdge, WorkflowNode } from '@palimpsest/contracts';
import { portValueOf } from './port-value.js';
import { memberOf, type Scope } from './scope.js';

/** Inputs of a node as it is about to run; `input` names the one that could not be evaluated. */
export type NodeInputs =
  { readonly ok: true; readonly inputs: JsonObject } | { readonly ok: false; readonly input: string };

/**
 * What edges deliver and, before it, what the node's own ports hold. An input whose value is not there is left out.
 * `delivering`: the incoming edges whose condition holds.
 */
export function nodeInputsOf(
  node: WorkflowNode,
  delivering: readonly WorkflowEdge[],
  scope: Scope,
): NodeInputs {
  const inputs = new Map<string, JsonValue>();
  for (const { sourceNodeId, sourceOutput, targetInput } of delivering) {
    const outputs = scope.outputsOf(sourceNodeId);
    const value = sourceOutput === undefined ? outputs : memberOf(outputs, sourceOutput);
    if (targetInput !== undefined && value !== undefined) inputs.set(targetInput, value);
  }
  for (const [input, port] of Object.entries(node.inputs)) {
    const result = portValueOf(port, scope);
    if (!result.ok) return { ok: false, input };
    if (result.value !== undefined) inputs.set(input, result.value);
  }
  return { ok: true, inputs: Object.fromEntries(inputs) };
}

/** True where a node is given inputs at all, whether or not they have values. */
export function hasInputs(node: WorkflowNode, incoming: readonly WorkflowEdge[]): boolean {
  return Object.keys(node.inputs).length > 0 || incoming.some(({ targetInput }) => targetInput !== undefined);
}
