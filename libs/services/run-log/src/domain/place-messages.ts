import {
  eventIdOf,
  INSTRUCTION_ADDED,
  MESSAGE_APPENDED,
  type MessageDraft,
  type PlacedEvent,
} from '@palimpsest/contracts';
import { ValidationError } from '@palimpsest/kernel';
import { DuplicateToolCallIdError, ToolResultWithoutCallError } from './own-loop.errors.js';
import type { ActiveRun } from './own-loop.state.js';

/** Calls that may wait for their result at once: the state of a run stays small enough for one bus message. */
export const MAX_OPEN_CALLS = 4096;
/** Length of all open ids together, in UTF-16 units. */
export const MAX_OPEN_CALL_TEXT = 64 * 1024;

/** Where an id is open: the sequence of the assistant message that opened it. */
type OpenCalls = Map<string, number>;

/**
 * The events of new messages at the run's next places, all or none. A tool message pairs with the open call
 * of its id, wherever that stands, also in the same request; an id may return once its call is answered.
 */
export function placeMessages(
  runId: string,
  messages: readonly MessageDraft[],
  run: ActiveRun,
): readonly PlacedEvent[] {
  const open: OpenCalls = new Map(Object.entries(run.loop.openCalls));
  const events = messages.map((message, index) => {
    const sequence = run.head + 1 + index;
    switch (message.role) {
      case 'system':
        return instruction(message, index, sequence);
      case 'user':
        requireCallIds(message, index, 0);
        return transcriptMessage(message, sequence);
      case 'assistant':
        openCallsOf(message, index, { open, sequence });
        return transcriptMessage(message, sequence);
      case 'tool':
        return transcriptMessage(message, sequence, eventIdOf(runId, closeCallOf(message, index, open)));
      default:
        return message.role satisfies never;
    }
  });
  requireBounded(open);
  return events;
}

function instruction(message: MessageDraft, index: number, sequence: number): PlacedEvent {
  requireCallIds(message, index, 0);
  const payload = { role: 'system', artifactId: message.artifactId, ...repairedFlag(message) };
  return { type: INSTRUCTION_ADDED, payload, schemaVersion: 1, counts: message.counts, sequence };
}

function transcriptMessage(message: MessageDraft, sequence: number, causationId?: string): PlacedEvent {
  const { role, artifactId, toolCallIds, counts } = message;
  const payload = { role, artifactId, toolCallIds, ...repairedFlag(message) };
  const event = { type: MESSAGE_APPENDED, payload, schemaVersion: 1, counts, sequence };
  return causationId === undefined ? event : { ...event, causationId };
}

function repairedFlag(message: MessageDraft): { readonly repaired?: true } {
  return message.repaired ? { repaired: true } : {};
}

function openCallsOf(
  message: MessageDraft,
  index: number,
  at: { readonly open: OpenCalls; readonly sequence: number },
): void {
  for (const id of message.toolCallIds) {
    if (at.open.has(id)) throw new DuplicateToolCallIdError(index);
    at.open.set(id, at.sequence);
  }
}

function closeCallOf(message: MessageDraft, index: number, open: OpenCalls): number {
  requireCallIds(message, index, 1);
  const [id] = message.toolCallIds;
  const calledAt = id === undefined ? undefined : open.get(id);
  if (id === undefined || calledAt === undefined) throw new ToolResultWithoutCallError(index);
  open.delete(id);
  return calledAt;
}

function requireCallIds(message: MessageDraft, index: number, expected: 0 | 1): void {
  if (message.toolCallIds.length === expected) return;
  throw new ValidationError(`messages.${index} has tool call ids that its role cannot have.`, {
    field: `messages.${index}.toolCallIds`,
  });
}

function requireBounded(open: OpenCalls): void {
  const textLength = [...open.keys()].reduce((length, id) => length + id.length, 0);
  if (open.size <= MAX_OPEN_CALLS && textLength <= MAX_OPEN_CALL_TEXT) return;
  throw new ValidationError('Too many tool calls would wait for their results at once.', {
    openCalls: open.size,
    maxOpenCalls: MAX_OPEN_CALLS,
  });
}
