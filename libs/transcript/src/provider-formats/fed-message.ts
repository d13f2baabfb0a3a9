import type { MessageContent, MessageRole, RenderingContent, ToolCall } from '@palimpsest/contracts';
import { renderMessage } from '../rendering/render-message.js';

/** Stands in `messages` for a result that is rendered as the empty text. */
export const OMITTED_RESULT = '[omitted]';
/** Stands in `messages` for a result that has not come yet. */
export const MISSING_RESULT = '[no result yet]';

/** One message of a window, with its text, before a provider's shape is given to it. */
export type FedMessage = {
  readonly kind: 'instruction' | 'pin' | 'summary' | 'turn';
  readonly sequence: number;
  /** First sequence of the turn it belongs to; its own sequence for the other kinds. */
  readonly turn: number;
  readonly role: MessageRole;
  /** What is counted; empty where elided. */
  readonly rendered: string;
  readonly text: string;
  readonly name?: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly toolCallId?: string;
};

type Place = Pick<FedMessage, 'sequence' | 'turn'>;

/** A message fed whole, or in the cut form that was recorded for it. */
export function fedTurnMessage(place: Place, message: MessageContent, cut?: RenderingContent): FedMessage {
  const toolCalls = cut ? cut.toolCalls : message.toolCalls;
  return {
    ...place,
    kind: 'turn',
    role: message.role,
    rendered: cut ? cut.rendered : renderMessage(message),
    text: cut ? cut.text : message.text,
    ...(message.name !== undefined && { name: message.name }),
    ...(toolCalls && { toolCalls }),
    ...(message.toolCallId !== undefined && { toolCallId: message.toolCallId }),
  };
}

/** A result whose turn is fed without it. */
export function elidedMessage(place: Place, toolCallId: string): FedMessage {
  return { ...place, kind: 'turn', role: 'tool', rendered: '', text: OMITTED_RESULT, toolCallId };
}

export function instructionMessage(sequence: number, message: MessageContent): FedMessage {
  return {
    kind: 'instruction',
    sequence,
    turn: sequence,
    role: 'system',
    rendered: renderMessage(message),
    text: message.text,
    ...(message.name !== undefined && { name: message.name }),
  };
}

/**
 * A text that the caller pinned, as the user's. What another role said keeps its label, so that nobody takes it for the
 * user's own words.
 */
export function pinMessage(sequence: number, message: MessageContent): FedMessage {
  const rendered = renderMessage(message);
  const from = message.role === 'user' ? rendered.indexOf(': ') + 2 : 0;
  return { kind: 'pin', sequence, turn: sequence, role: 'user', rendered, text: rendered.slice(from, -1) };
}

/** `rendered` as `renderSummary` gives it; the content is `rendered` without label and final line feed. */
export function summaryMessage(sequence: number, rendered: string): FedMessage {
  const text = rendered.slice(rendered.indexOf(': ') + 2, -1);
  return { kind: 'summary', sequence, turn: sequence, role: 'user', rendered, text };
}
