import type { ChatMessageInput, MessageContent, ToolCall } from '@palimpsest/contracts';
import { TerminalError } from '@palimpsest/kernel';

export type NormalisedMessage = {
  readonly content: MessageContent;
  /** True where NUL or lone surrogates were replaced by U+FFFD. */
  readonly repaired: boolean;
};

/** A kind of content that cannot be counted as text. */
export class UnsupportedContentError extends TerminalError {
  constructor(type: string) {
    super('unsupported_content', `Content of type "${type}" is not supported; send text.`, {
      details: { type },
    });
  }
}

/** NUL and lone surrogates become U+FFFD, once, here: nothing later has to think of them. */
export function repairText(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\uFFFD');
}

type RawContent = ChatMessageInput['content'];

function joinParts(content: RawContent): string {
  if (content === null || content === undefined) return '';
  if (typeof content === 'string') return content;
  return content.map(partText).join('');
}

type Part = Exclude<RawContent, string | null | undefined>[number];

/** The kind decides: a part of another kind that happens to have a text is not the text alone. */
function partText(part: Part): string {
  if (part.type === 'text' && 'text' in part) return part.text as string;
  if (part.type === 'refusal' && 'refusal' in part) return part.refusal as string;
  throw new UnsupportedContentError(partKind(part.type));
}

/** What does not look like the name of a kind may be content, which no error shows. */
function partKind(type: unknown): string {
  return typeof type === 'string' && /^[a-z][a-z0-9_.-]{0,39}$/i.test(type) ? type : 'unknown';
}

function rawText(message: ChatMessageInput): string {
  const text = joinParts(message.content);
  return message.role === 'assistant' && message.refusal ? text + message.refusal : text;
}

function toolCallsOf(message: ChatMessageInput): readonly ToolCall[] | undefined {
  if (message.role !== 'assistant' || !message.tool_calls?.length) return undefined;
  return message.tool_calls.map((call) => ({
    id: call.id,
    name: call.function.name,
    arguments: repairText(call.function.arguments),
  }));
}

/**
 * One OpenAI chat message as the store keeps it: parts joined, `developer` as `system`, text repaired.
 * @throws UnsupportedContentError for parts that are not text
 */
export function normaliseMessage(message: ChatMessageInput): NormalisedMessage {
  const raw = rawText(message);
  const text = repairText(raw);
  const toolCalls = toolCallsOf(message);
  const content: MessageContent = {
    role: message.role === 'developer' ? 'system' : message.role,
    text,
    ...(message.name !== undefined && { name: message.name }),
    ...(toolCalls && { toolCalls }),
    ...(message.role === 'tool' && { toolCallId: message.tool_call_id }),
  };
  const callsRepaired =
    message.role === 'assistant' &&
    (message.tool_calls ?? []).some(
      (call, index) => call.function.arguments !== toolCalls?.[index]?.arguments,
    );
  return { content, repaired: text !== raw || callsRepaired };
}
