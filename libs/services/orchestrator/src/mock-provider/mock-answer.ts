import type { JsonValue, MockAnswer } from '@palimpsest/contracts';
import type { AskedOfModel } from '@palimpsest/kernel';
import { isShallow, schemaProblemOf } from '@palimpsest/workflow';
import { invalidAnswerError, refusalError, truncationError } from '../invocations/call-errors.js';
import type { KeptAnswer } from '../invocations/invocation-store.js';

const REFUSALS: readonly string[] = ['safety', 'refusal', 'content_filter'];

/** A programmed answer, judged as a provider's would be, without repairs. The text of a refusal goes nowhere. */
export function mockAnswerOf({ answer }: Pick<AskedOfModel, 'answer'>, given: MockAnswer): KeptAnswer {
  const { content, stopReason } = given;
  if (REFUSALS.includes(stopReason)) return { kind: 'failed', error: refusalError() };
  if (stopReason === 'max_tokens') return { kind: 'failed', error: truncationError() };
  if (answer.kind === 'text') {
    return content.trim() === '' ? invalid() : { kind: 'answered', value: { text: content } };
  }
  const value = parsed(content);
  if (value === undefined || !isShallow(value) || schemaProblemOf(answer.schema, value)) return invalid();
  return { kind: 'answered', value: { result: value } };
}

function invalid(): KeptAnswer {
  return { kind: 'failed', error: invalidAnswerError() };
}

function parsed(content: string): JsonValue | undefined {
  try {
    return JSON.parse(content) as JsonValue;
  } catch {
    return undefined;
  }
}
