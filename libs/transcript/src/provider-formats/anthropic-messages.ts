import type { JsonObject, JsonValue } from '@palimpsest/contracts';
import type { FedMessage } from './fed-message.js';
import { inProviderOrder } from './message-order.js';

export type AnthropicBlock =
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; input: JsonObject }
  | { type: 'tool_result'; tool_use_id: string; content: string };

export type AnthropicMessage = { role: 'user' | 'assistant'; content: AnthropicBlock[] };

export type AnthropicRequest = { system: { type: 'text'; text: string }[]; messages: AnthropicMessage[] };

/** The first message has to be the user's: stands there where the window begins with the assistant's. */
const CONTINUED = '[conversation continues]';
/** Text blocks must not be blank. */
const BLANK = '[blank]';

/**
 * A window as `system` and `messages` of an Anthropic-shaped request: instructions on top, roles alternate,
 * every `tool_use` is answered at the beginning of the next message, ids are unique and of the legal letters.
 */
export function toAnthropicRequest(messages: readonly FedMessage[]): AnthropicRequest {
  const ordered = inProviderOrder(messages);
  const ids = toolUseIds(ordered);
  const merged: AnthropicMessage[] = [];
  for (const message of ordered.filter(({ role }) => role !== 'system')) {
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const blocks = blocksOf(message, (id) => ids.get(idKey(message.turn, id)) ?? legalId(id));
    const last = merged.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else merged.push({ role, content: blocks });
  }
  if (merged[0]?.role === 'assistant') {
    merged.unshift({ role: 'user', content: [{ type: 'text', text: CONTINUED }] });
  }
  const system = ordered.filter(({ role }) => role === 'system').map(({ text }) => textBlock(text));
  return { system, messages: merged };
}

function textBlock(text: string): { type: 'text'; text: string } {
  return { type: 'text', text: text.trim() === '' ? BLANK : text };
}

function blocksOf(message: FedMessage, idOf: (id: string) => string): AnthropicBlock[] {
  if (message.toolCallId !== undefined) {
    return [{ type: 'tool_result', tool_use_id: idOf(message.toolCallId), content: message.text }];
  }
  const calls = (message.toolCalls ?? []).map((call): AnthropicBlock => ({
    type: 'tool_use',
    id: idOf(call.id),
    name: legalId(call.name).slice(0, 128),
    input: inputOf(call.arguments),
  }));
  return calls.length > 0 && message.text.trim() === '' ? calls : [textBlock(message.text), ...calls];
}

/** `input` has to be an object; arguments that are none are passed on as text. */
function inputOf(text: string): JsonObject {
  try {
    const value = JSON.parse(text) as JsonValue;
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as JsonObject;
  } catch {
    // Falls through: the model wrote something that is no JSON.
  }
  return text.trim() === '' ? {} : { _text: text };
}

function legalId(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]/gu, (letter) => `_${letter.codePointAt(0)?.toString(16) ?? ''}`);
}

const idKey = (turn: number, id: string): string => `${turn} ${id}`;

/** An id that returns in a later turn gets the turn's place appended, as ids must be unique in a request. */
function toolUseIds(ordered: readonly FedMessage[]): Map<string, string> {
  const taken = new Set<string>();
  const ids = new Map<string, string>();
  for (const { turn, toolCalls = [] } of ordered) {
    for (const { id } of toolCalls) {
      let legal = legalId(id);
      while (taken.has(legal)) legal = `${legal}_${turn}`;
      taken.add(legal);
      ids.set(idKey(turn, id), legal);
    }
  }
  return ids;
}
