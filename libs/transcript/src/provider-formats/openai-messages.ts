import type { FedMessage } from './fed-message.js';
import { inProviderOrder } from './message-order.js';

export type OpenAiToolCall = { id: string; type: 'function'; function: { name: string; arguments: string } };

export type OpenAiMessage = {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string | null;
  name?: string;
  tool_calls?: OpenAiToolCall[];
  tool_call_id?: string;
};

/** A window as the `messages` of an OpenAI-shaped chat request. */
export function toOpenAiMessages(messages: readonly FedMessage[]): OpenAiMessage[] {
  return inProviderOrder(messages).map((message) => ({
    role: message.role,
    content: message.toolCalls && message.text === '' ? null : message.text,
    ...(message.name !== undefined && message.role !== 'tool' && { name: message.name }),
    ...(message.toolCalls && {
      tool_calls: message.toolCalls.map((call) => ({
        id: call.id,
        type: 'function' as const,
        function: { name: call.name, arguments: call.arguments },
      })),
    }),
    ...(message.toolCallId !== undefined && { tool_call_id: message.toolCallId }),
  }));
}
