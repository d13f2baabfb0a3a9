import { countTokens } from '@palimpsest/tokens';

/** A window as the API answers it, as far as it is checked here. */
export type WindowDocument = {
  readonly iteration: number;
  readonly tokenCount: number;
  readonly unboundedTokenCount: number;
  readonly entries: readonly {
    readonly eventId: string;
    readonly kind: string;
    readonly rendered: string;
    readonly tokens: number;
  }[];
  readonly messages: readonly OpenAiMessage[];
};

type OpenAiMessage = {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly arguments: string } }[];
  readonly tool_call_id?: string;
};

type AnthropicBlock = { readonly type: string; readonly id?: string; readonly tool_use_id?: string };
type AnthropicMessage = { readonly role: string; readonly content: readonly AnthropicBlock[] };

/** What is wrong with a window: over its budget, miscounted, or no legal request. Empty where all is well. */
export function faultsOfWindow(window: WindowDocument, budget: number): readonly string[] {
  const joined = window.entries.map(({ rendered }) => rendered).join('');
  const sum = window.entries.reduce((total, { tokens }) => total + tokens, 0);
  const miscounted = window.entries.some(
    ({ rendered, tokens }) => countTokens(rendered, 'o200k_base') !== tokens,
  );
  return [
    ...(window.tokenCount > budget ? [`${window.tokenCount} tokens are over the budget ${budget}`] : []),
    ...(countTokens(joined, 'o200k_base') > budget ? ['the joined text is over the budget'] : []),
    ...(sum !== window.tokenCount ? ['the entries do not add up'] : []),
    ...(miscounted ? ['an entry is miscounted'] : []),
    ...faultsOfOpenAi(window.messages),
  ].map((fault) => `window ${window.iteration}: ${fault}`);
}

/** Each result follows the assistant message that called for it, each call has exactly one. */
export function faultsOfOpenAi(messages: readonly OpenAiMessage[]): readonly string[] {
  const faults: string[] = [];
  let open: string[] = [];
  for (const [place, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!open.includes(message.tool_call_id ?? '')) faults.push(`message ${place} answers no open call`);
      open = open.filter((id) => id !== message.tool_call_id);
      continue;
    }
    if (open.length > 0) faults.push(`message ${place} comes before the results of ${open.length} calls`);
    open = (message.tool_calls ?? []).map(({ id }) => id);
    for (const call of message.tool_calls ?? []) JSON.parse(call.function.arguments);
  }
  if (open.length > 0) faults.push(`${open.length} calls are not answered`);
  return faults;
}

/** Roles alternate from the user's on; the results of a message's calls begin the next one. */
export function faultsOfAnthropic(messages: readonly AnthropicMessage[]): readonly string[] {
  return messages.flatMap(({ role, content }, place) => {
    const calls = content.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
    const next = messages[place + 1]?.content ?? [];
    const answered = next.slice(0, calls.length).map(({ tool_use_id }) => tool_use_id);
    return [
      ...(role !== (place % 2 === 0 ? 'user' : 'assistant')
        ? [`message ${place} breaks the alternation`]
        : []),
      ...(content.length === 0 ? [`message ${place} is empty`] : []),
      ...(calls.some((id) => !answered.includes(id)) ? [`a call of message ${place} has no result`] : []),
    ];
  });
}

/** The bytes that a model is sent, and what they count. */
export function fedBytes({ tokenCount, entries, messages }: WindowDocument): string {
  return JSON.stringify({ tokenCount, entries, messages });
}
