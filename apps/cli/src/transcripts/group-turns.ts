import type { SourceMessage } from './transcript.js';

/** Messages that are appended at once. */
export type ImportStep = {
  readonly messages: readonly SourceMessage[];
  /** A window is asked for before them: what a model would have been sent to say them. */
  readonly windowBefore: boolean;
};

export type WindowEvery = 'turn' | 'message';

/**
 * Cuts a conversation into turns: a message, or an assistant message with tool calls and the results behind
 * it. `turn` asks for a window before each turn of the assistant; `message` appends message by message and
 * asks before each, in the middle of tool results too. Never before anything but instructions was said.
 */
export function groupTurns(messages: readonly SourceMessage[], every: WindowEvery): ImportStep[] {
  const groups = every === 'turn' ? turnsOf(messages) : messages.map((message) => [message]);
  let said = false;
  return groups.map((group) => {
    const role = group[0]?.message.role;
    const windowBefore = said && (every === 'message' || role === 'assistant');
    said ||= group.some(({ message }) => !isInstruction(message.role));
    return { messages: group, windowBefore };
  });
}

function turnsOf(messages: readonly SourceMessage[]): SourceMessage[][] {
  const turns: SourceMessage[][] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (message.message.role === 'tool' && last?.[0] && hasCalls(last[0])) last.push(message);
    else turns.push([message]);
  }
  return turns;
}

function hasCalls({ message }: SourceMessage): boolean {
  const calls = message['tool_calls'];
  return message.role === 'assistant' && Array.isArray(calls) && calls.length > 0;
}

function isInstruction(role: string): boolean {
  return role === 'system' || role === 'developer';
}
