import type { SourceMessage } from './transcript.js';

/** What a chat message may hold; the server takes nothing else. */
const KNOWN = new Set(['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'refusal']);

/**
 * A message as it is sent. Dumps of provider answers are full of members that say nothing (`"audio": null`,
 * `"annotations": []`): those are left out. One that says something stays, and is the server's to refuse.
 */
export function outgoingMessage({ message }: SourceMessage): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(message).filter(([name, value]) => KNOWN.has(name) || !saysNothing(value)),
  );
}

function saysNothing(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}
