import type { MessageContent, ToolCall } from '@palimpsest/contracts';

type Renderable = Pick<MessageContent, 'role' | 'text' | 'toolCalls'>;

function renderCall(call: ToolCall): string {
  return `[call ${call.name} ${call.arguments}]`;
}

/**
 * What a message counts as: `<role>: <text>\n`, tool calls on lines of their own. It begins with a letter and
 * ends with a line feed, where both encodings always split: the count of joined renderings is the sum of theirs.
 */
export function renderMessage({ role, text, toolCalls = [] }: Renderable): string {
  const lines = text === '' && toolCalls.length > 0 ? [] : [text];
  return `${role}: ${[...lines, ...toolCalls.map(renderCall)].join('\n')}\n`;
}
