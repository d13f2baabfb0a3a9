import type { JsonObject } from '@palimpsest/contracts';
import type { ScriptedUsage } from '@palimpsest/kernel/testing';
import type { SpokenReply } from './wire-reply.js';
import type { WireRequest } from './wire-request.js';

/** A reply as the body of a chat completion. */
export function openAiBody(request: WireRequest, reply: SpokenReply): JsonObject {
  return {
    id: `chatcmpl-${request.index}`,
    object: 'chat.completion',
    created: 1_700_000_000,
    model: request.model,
    choices: [{ index: 0, ...choiceOf(reply) }],
    ...(reply.usage !== 'none' && { usage: usageOf(reply.usage) }),
  };
}

function choiceOf(reply: SpokenReply): JsonObject {
  switch (reply.kind) {
    case 'text':
      return choice({ content: reply.text }, reply.finish ?? 'stop');
    case 'object':
      return choice({ content: JSON.stringify(reply.value) }, 'stop');
    case 'refusal':
      // A filter cuts in with a word for it; a model that declines says so in a field of its own.
      return reply.category === undefined
        ? choice({ content: null, refusal: reply.text ?? 'No.' }, 'stop')
        : choice({ content: reply.text ?? null }, reply.category);
    default:
      return reply satisfies never;
  }
}

function choice(message: JsonObject, finishReason: string): JsonObject {
  return { message: { role: 'assistant', refusal: null, ...message }, finish_reason: finishReason };
}

function usageOf({ input, output, reasoning, cacheRead, cacheWrite }: ScriptedUsage): JsonObject {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...((cacheRead ?? cacheWrite) !== undefined && {
      prompt_tokens_details: {
        ...(cacheRead !== undefined && { cached_tokens: cacheRead }),
        ...(cacheWrite !== undefined && { cache_write_tokens: cacheWrite }),
      },
    }),
    ...(reasoning !== undefined && { completion_tokens_details: { reasoning_tokens: reasoning } }),
  };
}
