import {
  MESSAGE_APPENDED,
  messageAppendedSchema,
  placeOfEventId,
  WORKER_RETURNED,
  workerReturnedSchema,
  type PlacedEvent,
  type TokenCounterName,
} from '@palimpsest/contracts';
import { LOOP_TURN_TYPES, loopMessage } from '@palimpsest/transcript';
import type { TranscriptRow } from './turn.js';

/** Types of the events that can be in a transcript. */
export const TRANSCRIPT_TYPES: readonly string[] = [MESSAGE_APPENDED, ...LOOP_TURN_TYPES];

/**
 * An event of a transcript as the planner sees it; undefined for any other. Of an execution loop the events with counts
 * are in its transcript, each a turn of its own (host specification §5.8). What a worker returned is named by its event, as
 * a message is; the others are stored before a plan.
 */
export function transcriptRow(event: PlacedEvent, counter: TokenCounterName): TranscriptRow | undefined {
  if (event.type === MESSAGE_APPENDED) return messageRow(event, counter);
  if (!event.counts) return undefined;
  const { sequence, counts } = event;
  const row = { sequence, tokens: counts[counter], toolCallIds: [] };
  if (event.type === WORKER_RETURNED) {
    const { artifactId } = workerReturnedSchema.parse(event.payload);
    return { ...row, role: 'user', artifactId };
  }
  const role = loopMessage(event)?.role;
  return role === 'user' || role === 'assistant' ? { ...row, role, artifactId: '' } : undefined;
}

function messageRow(event: PlacedEvent, counter: TokenCounterName): TranscriptRow {
  const { role, artifactId, toolCallIds } = messageAppendedSchema.parse(event.payload);
  const call = role === 'tool' && event.causationId ? placeOfEventId(event.causationId)?.sequence : undefined;
  return {
    sequence: event.sequence,
    role,
    tokens: event.counts?.[counter] ?? 0,
    artifactId,
    toolCallIds,
    ...(call !== undefined && { callSequence: call }),
  };
}
