import type { JsonObject } from '@palimpsest/contracts';
import type { AnswerForm, ModelRequest } from '../ports/model.js';

/** Which model of which provider is asked. */
export type ModelName = { readonly provider: string; readonly model: string };

/** What a {@link ModelRequest} means, without who asks and how long they wait. */
export type AskedOfModel = Pick<
  ModelRequest,
  'system' | 'messages' | 'answer' | 'maxOutputTokens' | 'temperature' | 'seed'
>;

/**
 * A request of the port `Model` as the recipe of cache keys takes it (host specification §6.8). What a provider's adapter
 * adds for itself, such as marks for its cache or room for reasoning, is none of it.
 */
export function askedRequest({ provider, model }: ModelName, asked: AskedOfModel): JsonObject {
  const { system, messages, answer, maxOutputTokens, temperature, seed } = asked;
  return {
    provider,
    model,
    messages: [
      ...(system === '' ? [] : [{ role: 'system', content: system }]),
      ...messages.map(({ role, text }) => ({ role, content: text })),
    ],
    maxOutputTokens,
    ...(temperature !== undefined && { temperature }),
    ...(seed !== undefined && { seed }),
    ...(answer.kind === 'object' && { responseFormat: formOf(answer) }),
  };
}

function formOf({ name, schema }: Extract<AnswerForm, { kind: 'object' }>): JsonObject {
  return { type: 'json_schema', name, schema };
}
