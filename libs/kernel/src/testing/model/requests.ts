import type { JsonObject } from '@palimpsest/contracts';
import type { ModelRequest } from '../../ports/model.js';

/** In every prompt of the suite: no error and no log may hold it. */
export const PROMPT_MARK = 'PROMPT-5b1e';
/** In every answer that is not used. */
export const ANSWER_MARK = 'ANSWER-90c7';

export const DECISION_SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    action: { type: 'string', enum: ['go', 'stop'] },
    confidence: { type: 'number', minimum: 0, maximum: 1 },
  },
  required: ['action', 'confidence'],
  additionalProperties: false,
};

export const DECISION = { action: 'go', confidence: 0.75 };

export function textRequest(part: Partial<ModelRequest> = {}): ModelRequest {
  return {
    system: `You decide what comes next. ${PROMPT_MARK}`,
    messages: [{ role: 'user', text: `What now? ${PROMPT_MARK}` }],
    answer: { kind: 'text' },
    maxOutputTokens: 200,
    timeoutMs: 30_000,
    invocationId: 'inv-1',
    ...part,
  };
}

export function objectRequest(part: Partial<ModelRequest> = {}): ModelRequest {
  return textRequest({ answer: { kind: 'object', name: 'decision', schema: DECISION_SCHEMA }, ...part });
}
