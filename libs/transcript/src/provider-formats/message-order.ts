import { MISSING_RESULT, type FedMessage } from './fed-message.js';

/**
 * The order a provider accepts: instructions and pins older than the oldest fed turn, summaries, then turns and later
 * instructions and pins by the place of their first event. Inside a turn the results follow their call in log order,
 * whenever they came; calls without a result get a placeholder at the end, so that a late result only
 * replaces what stands last.
 */
export function inProviderOrder(messages: readonly FedMessage[]): FedMessage[] {
  const turns = messages.filter((message) => message.kind === 'turn');
  const oldest = Math.min(...turns.map((message) => message.turn));
  const early = ({ kind, sequence }: FedMessage): boolean =>
    (kind === 'instruction' || kind === 'pin') && sequence < oldest;
  const bySequence = (a: FedMessage, b: FedMessage): number => a.sequence - b.sequence;
  return [
    ...messages.filter(early).sort(bySequence),
    ...messages.filter((message) => message.kind === 'summary').sort(bySequence),
    ...withPlaceholders(
      messages
        .filter((message) => message.kind !== 'summary' && !early(message))
        .sort((a, b) => a.turn - b.turn || a.sequence - b.sequence),
    ),
  ];
}

function withPlaceholders(ordered: readonly FedMessage[]): FedMessage[] {
  const unanswered = unansweredCalls(ordered);
  return ordered.flatMap((message, index) => {
    const last = ordered[index + 1]?.turn !== message.turn;
    if (message.kind !== 'turn' || !last) return [message];
    return [message, ...(unanswered.get(message.turn) ?? []).map((id) => placeholder(message, id))];
  });
}

/** By turn: ids of calls without a result among the messages, in call order. */
function unansweredCalls(ordered: readonly FedMessage[]): Map<number, string[]> {
  const open = new Map<number, string[]>();
  for (const { turn, toolCalls } of ordered) {
    if (toolCalls)
      open.set(
        turn,
        toolCalls.map(({ id }) => id),
      );
  }
  for (const { turn, toolCallId } of ordered) {
    const ids = open.get(turn);
    if (ids && toolCallId !== undefined && ids.includes(toolCallId)) ids.splice(ids.indexOf(toolCallId), 1);
  }
  return open;
}

function placeholder(message: FedMessage, toolCallId: string): FedMessage {
  const { sequence, turn } = message;
  return { kind: 'turn', sequence, turn, role: 'tool', rendered: '', text: MISSING_RESULT, toolCallId };
}
