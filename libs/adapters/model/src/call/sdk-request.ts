import type { AnswerForm, ModelMessage, ModelRequest } from '@palimpsest/kernel';
import { Output, type ModelMessage as SdkMessage, type SystemModelMessage } from 'ai';
import type { WireProvider } from '../provider/wire-provider.js';

/** How an object is asked for: by the provider's own means, or in words. */
export type ObjectMode = 'native' | 'in-text';

export type CallDraft = {
  readonly request: ModelRequest;
  /** The request's, and what was said to repair its answer. */
  readonly messages: readonly ModelMessage[];
  readonly mode: ObjectMode;
  readonly idempotencyKey: string;
  readonly maxOutputTokens: number;
};

/** The arguments of the SDK's `generateText`; its own attempts are off. */
export function sdkRequest(wire: WireProvider, draft: CallDraft) {
  const { request, mode } = draft;
  const native = request.answer.kind === 'object' && mode === 'native';
  return {
    model: wire.sdkModel,
    system: systemOf(wire, draft),
    messages: messagesOf(wire, draft.messages),
    output: native ? objectOutput(request.answer) : Output.text(),
    maxOutputTokens: draft.maxOutputTokens,
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.seed !== undefined && wire.takesSeed && { seed: request.seed }),
    ...(native && wire.objectOptions && { providerOptions: wire.objectOptions }),
    headers: { 'Idempotency-Key': draft.idempotencyKey },
    maxRetries: 0,
  };
}

/** What asks for JSON in words stands at the end of the system text, where it is the same in every turn. */
function systemOf(wire: WireProvider, { request: { system, answer }, mode }: CallDraft): SystemModelMessage {
  const inWords = answer.kind === 'object' && mode === 'in-text' ? `\n\n${inWordsOf(answer)}` : '';
  return {
    role: 'system',
    content: system + inWords,
    ...(wire.cacheMark && { providerOptions: wire.cacheMark }),
  };
}

function inWordsOf({ schema }: Extract<AnswerForm, { kind: 'object' }>): string {
  return `Answer with one JSON object and nothing else. It has to fit this JSON Schema:\n${JSON.stringify(schema)}`;
}

/** Messages grow at their end, so the last one ends what the next turn finds in the cache. */
function messagesOf(wire: WireProvider, messages: readonly ModelMessage[]): SdkMessage[] {
  const last = messages.length - 1;
  return messages.map(({ role, text }, at) => ({
    role,
    content: text,
    ...(at === last && wire.cacheMark && { providerOptions: wire.cacheMark }),
  }));
}

/** Asks for an object and gives its text: what a model makes of it is judged with more patience than the SDK has. */
function objectOutput(answer: AnswerForm): ReturnType<typeof Output.text> {
  if (answer.kind === 'text') return Output.text();
  return {
    ...Output.text(),
    name: 'object',
    responseFormat: Promise.resolve({
      type: 'json' as const,
      name: providerName(answer.name),
      schema: answer.schema,
    }),
  };
}

/** What providers take for a name. */
function providerName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'answer';
}
