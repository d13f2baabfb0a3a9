import type { JsonObject, JsonValue, OrchestratorDecision } from '@palimpsest/contracts';
import type { AnswerForm } from '@palimpsest/kernel';
import { z } from 'zod';

const text = (maxLength: number): JsonObject => ({ type: 'string', maxLength });

/**
 * What a supervisor's model answers: one flat object, as all providers take it. It has no confidence (host specification
 * §5.5): a run would wait for approval at a model's whim. `workers`: those that may be named; without them, any.
 */
export function decisionForm(workers: readonly string[] | undefined): AnswerForm {
  const worker: JsonObject = workers ? { enum: [...workers] } : { minLength: 1, maxLength: 256 };
  const schema: JsonObject = {
    type: 'object',
    additionalProperties: false,
    required: ['kind'],
    properties: {
      kind: { type: 'string', enum: ['next-worker', 'ask-user', 'terminate'] },
      nextWorkerIds: { type: 'array', maxItems: 16, items: { type: 'string', ...worker } },
      prompt: text(8000),
      reason: text(2000),
    },
  };
  return { kind: 'object', name: 'decision', schema, check: { ...schema, allOf: [...OF_KINDS] } };
}

/** What a decision of a kind cannot do without: few providers take such a schema, and a model that forgot it is told. */
const OF_KINDS: readonly JsonObject[] = [
  { if: ofKind('next-worker'), then: withMember('nextWorkerIds', { minItems: 1 }) },
  { if: ofKind('ask-user'), then: withMember('prompt', { minLength: 1 }) },
];

function ofKind(kind: OrchestratorDecision['kind']): JsonObject {
  return { properties: { kind: { const: kind } } };
}

function withMember(name: string, schema: JsonObject): JsonObject {
  return { required: [name], properties: { [name]: schema } };
}

const answerSchema = z.looseObject({
  kind: z.enum(['next-worker', 'ask-user', 'terminate']),
  nextWorkerIds: z.array(z.string().min(1)).optional(),
  prompt: z.string().optional(),
  reason: z.string().optional(),
});

/** The closed decision of host specification §5.2, without what does not belong to its kind; undefined where it lacks something. */
export function decisionOf(answer: JsonValue): OrchestratorDecision | undefined {
  const { success, data } = answerSchema.safeParse(answer);
  if (!success) return undefined;
  const { kind, nextWorkerIds = [], prompt = '', reason = '' } = data;
  switch (kind) {
    case 'next-worker':
      return nextWorkerIds.length > 0 ? { kind, nextWorkerIds } : undefined;
    case 'ask-user':
      return prompt.trim() !== '' ? { kind, prompt } : undefined;
    case 'terminate':
      return { kind, ...(reason.trim() !== '' && { reason }) };
    default:
      return kind satisfies never;
  }
}
