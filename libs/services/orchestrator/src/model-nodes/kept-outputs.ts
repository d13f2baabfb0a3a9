import { isStorableJson, type JsonObject } from '@palimpsest/contracts';
import type { ModelAnswer } from '@palimpsest/kernel';
import { redactJson } from '@palimpsest/transcript';
import { isShallow } from '@palimpsest/workflow';
import { callError, invalidAnswerError, refusalError, truncationError } from '../invocations/call-errors.js';
import type { KeptAnswer } from '../invocations/invocation-store.js';

/** Bytes of JSON that a node's outputs may have, as for every node. */
const OUTPUT_BYTES = 48 * 1024;

/** What a node's outputs are after a model's answer: `{ text }` or `{ result }`. */
export function outputsOf(answer: ModelAnswer): KeptAnswer {
  switch (answer.kind) {
    case 'refusal':
      return { kind: 'failed', error: refusalError() };
    case 'object':
      return { kind: 'answered', value: { result: answer.value } };
    case 'text':
      if (answer.finish === 'length') return { kind: 'failed', error: truncationError() };
      return { kind: 'answered', value: { text: answer.text } };
    default:
      return answer satisfies never;
  }
}

/** Without secrets, and of a size that a log can hold. */
export function storableAnswer(answer: KeptAnswer): KeptAnswer {
  if (answer.kind === 'failed') return answer;
  // What a model says may be nested deeper than anything that looks into it can follow.
  if (!isShallow(answer.value) || !isStorableJson(answer.value))
    return { kind: 'failed', error: invalidAnswerError() };
  const value: JsonObject = redactJson(answer.value);
  if (Buffer.byteLength(JSON.stringify(value)) <= OUTPUT_BYTES) return { kind: 'answered', value };
  const message = 'The outputs of the node are too large.';
  return { kind: 'failed', error: callError('output_too_large', message, { limitBytes: OUTPUT_BYTES }) };
}
