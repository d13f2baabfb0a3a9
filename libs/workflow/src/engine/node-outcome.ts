import type { JsonObject, RunError, WorkflowNode } from '@palimpsest/contracts';
import type { Answer, NodeOutcome, NodeWork, Suspension } from '../node-types/node-type.js';
import { nodeTypeOf } from '../node-types/node-types.js';
import { OUTPUT_BYTES } from './engine-limits.js';
import { jsonBytes } from './json-size.js';
import { workOf, type Redact, type RunParts } from './node-work.js';
import { expressionError, runError } from './run-errors.js';

/** What a node does now, given its answer where it asked for one. */
export function outcomeOf(node: WorkflowNode, run: RunParts, answer?: Answer): NodeOutcome {
  const work = workOf(node, run);
  if ('input' in work) return { kind: 'fail', error: expressionError({ input: work.input }) };
  return recordable(rawOutcome(work, answer), run.redact);
}

/** As it may stand on the log: without secrets, and within the size of a node's outputs. */
export function recordable(outcome: NodeOutcome, redact: Redact): NodeOutcome {
  return withinSize(redacted(outcome, redact));
}

function rawOutcome(work: NodeWork, answer?: Answer): NodeOutcome {
  const type = nodeTypeOf(work.node.typeId);
  if (!type) {
    return {
      kind: 'fail',
      error: runError('capability_required', 'This host does not run nodes of this type.'),
    };
  }
  if (!answer) return type.perform(work);
  return type.resume ? type.resume(answer, work) : { kind: 'complete', outputs: {} };
}

/** What definitions say goes into the log like what callers say (host specification §11.1, SR-1). */
function redacted(outcome: NodeOutcome, redact: Redact): NodeOutcome {
  switch (outcome.kind) {
    case 'complete':
      return { ...outcome, outputs: redact(outcome.outputs) };
    case 'fail':
      return { ...outcome, error: redact(outcome.error as unknown as JsonObject) as unknown as RunError };
    case 'suspend':
      return { ...outcome, request: redactedRequest(outcome.request, redact) };
    case 'sleep':
      return outcome;
    default:
      return outcome satisfies never;
  }
}

/** An awaited correlation is compared with what arrives: without its values, any event would match it. */
function redactedRequest(request: Suspension, redact: Redact): Suspension {
  if (request.kind === 'external-event') return request;
  const { data, resumeSchema } = request;
  return { ...request, data: redact(data), ...(resumeSchema && { resumeSchema: redact(resumeSchema) }) };
}

function withinSize(outcome: NodeOutcome): NodeOutcome {
  if (outcome.kind !== 'complete' || jsonBytes(outcome.outputs) <= OUTPUT_BYTES) return outcome;
  const message = `The outputs of a node hold ${OUTPUT_BYTES} bytes of JSON at most.`;
  return { kind: 'fail', error: runError('output_too_large', message) };
}
