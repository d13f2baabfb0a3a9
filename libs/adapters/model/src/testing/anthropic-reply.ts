import type { JsonObject } from '@palimpsest/contracts';
import type { ScriptedUsage } from '@palimpsest/kernel/testing';
import type { SpokenReply } from './wire-reply.js';
import type { WireRequest } from './wire-request.js';

const NO_USAGE: ScriptedUsage = { input: 0, output: 0 };

/** A reply as the body of a message. */
export function anthropicBody(request: WireRequest, reply: SpokenReply): JsonObject {
  return {
    id: `msg_${request.index}`,
    type: 'message',
    role: 'assistant',
    model: request.model,
    stop_sequence: null,
    ...contentOf(request, reply),
    // The format knows no message without usage.
    usage: usageOf(reply.usage === 'none' ? NO_USAGE : reply.usage),
  };
}

function contentOf(request: WireRequest, reply: SpokenReply): JsonObject {
  switch (reply.kind) {
    case 'text':
      return { content: textBlocks(reply.text), stop_reason: stopReason(reply.finish) };
    case 'object':
      return request.objectBy === 'tool'
        ? {
            content: [{ type: 'tool_use', id: `toolu_${request.index}`, name: 'json', input: reply.value }],
            stop_reason: 'tool_use',
          }
        : { content: textBlocks(JSON.stringify(reply.value)), stop_reason: 'end_turn' };
    case 'refusal':
      return {
        content: textBlocks(reply.text ?? ''),
        stop_reason: 'refusal',
        ...(reply.category !== undefined && {
          stop_details: { type: 'refusal', category: reply.category, explanation: 'Policy.' },
        }),
      };
    default:
      return reply satisfies never;
  }
}

function stopReason(finish: 'stop' | 'length' | undefined): string {
  return finish === 'length' ? 'max_tokens' : 'end_turn';
}

function textBlocks(text: string): JsonObject[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

/** Input that came from a cache or went to one is counted apart here. */
function usageOf({ input, output, reasoning, cacheRead, cacheWrite }: ScriptedUsage): JsonObject {
  return {
    input_tokens: input - (cacheRead ?? 0) - (cacheWrite ?? 0),
    output_tokens: output,
    ...(cacheRead !== undefined && { cache_read_input_tokens: cacheRead }),
    ...(cacheWrite !== undefined && { cache_creation_input_tokens: cacheWrite }),
    ...(reasoning !== undefined && { output_tokens_details: { thinking_tokens: reasoning } }),
  };
}
