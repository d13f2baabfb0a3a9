type Message = Readonly<Record<string, unknown>>;

/**
 * What a provider would refuse in the `messages` of a window, or undefined: every result stands right behind
 * the call it answers, every call is answered exactly once, and no message is without content.
 */
export function checkMessages(messages: readonly Message[]): string | undefined {
  let open = new Set<unknown>();
  for (const [index, message] of messages.entries()) {
    const place = `message ${index + 1}`;
    if (message['role'] === 'tool') {
      const id = message['tool_call_id'];
      if (!open.delete(id)) return `${place} is a tool result without its call before it`;
      continue;
    }
    if (open.size > 0) return `${place} comes before the results of the calls above it`;
    const ids = callIds(message);
    open = new Set(ids);
    if (open.size !== ids.length) return `${place} has two calls of one id`;
    if (ids.length === 0 && typeof message['content'] !== 'string') return `${place} has no content`;
  }
  return open.size > 0 ? 'the last calls have no results' : undefined;
}

function callIds(message: Message): unknown[] {
  const calls = message['tool_calls'];
  return Array.isArray(calls) ? calls.map((call) => (call as Message)['id']) : [];
}
