import type { JsonObject, WorkflowNode, WorkflowRunState } from '@palimpsest/contracts';
import type { NodeWork } from '../node-types/node-type.js';
import { hasInputs, nodeInputsOf } from '../values/node-inputs.js';
import { scopeOf } from '../values/scope.js';
import type { RunEdges } from './run-edges.js';
import type { RunPlan } from './run-plan.js';

/** A value as it may be recorded: without secrets. Idempotent. */
export type Redact = (value: JsonObject) => JsonObject;

export type RunParts = {
  readonly plan: RunPlan;
  readonly edges: RunEdges;
  readonly state: WorkflowRunState;
  readonly redact: Redact;
};

/** What a node has to work with; or the input that could not be evaluated. */
export function workOf(
  node: WorkflowNode,
  { plan, edges, state }: Omit<RunParts, 'redact'>,
): NodeWork | { readonly input: string } {
  const incoming = plan.incoming(node.id);
  const delivering = incoming.filter((edge) => edges.outcome(edge, state) === 'success');
  const scope = scopeOf(state, () => plan.upstream(node.id).ids());
  const given = nodeInputsOf(node, delivering, scope);
  if (!given.ok) return { input: given.input };
  return {
    node,
    inputs: given.inputs,
    hasInputs: hasInputs(node, incoming),
    variables: state.variables,
    rootRunId: state.rootRunId,
  };
}
