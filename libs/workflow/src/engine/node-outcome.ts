import type { WorkflowNode } from '@palimpsest/contracts';
import type { NodeOutcome, NodeWork } from '../node-types/node-type.js';
import { nodeTypeOf } from '../node-types/node-types.js';
import { OUTPUT_BYTES } from './engine-limits.js';
import { jsonBytes } from './json-size.js';
import { workOf, type RunParts } from './node-work.js';
import { expressionError, runError } from './run-errors.js';
import type { Answer } from '../node-types/node-type.js';

/** What a node does now, given its answer where it asked for one. */
export function outcomeOf(node: WorkflowNode, run: RunParts, answer?: Answer): NodeOutcome {
  const work = workOf(node, run);
  if ('input' in work) return { kind: 'fail', error: expressionError({ input: work.input }) };
  return withinSize(rawOutcome(work, answer));
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

function withinSize(outcome: NodeOutcome): NodeOutcome {
  if (outcome.kind !== 'complete' || jsonBytes(outcome.outputs) <= OUTPUT_BYTES) return outcome;
  const message = `The outputs of a node hold ${OUTPUT_BYTES} bytes of JSON at most.`;
  return { kind: 'fail', error: runError('output_too_large', message) };
}
