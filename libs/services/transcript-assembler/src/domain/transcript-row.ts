import {
  messageAppendedSchema,
  placeOfEventId,
  type PlacedEvent,
  type TokenCounterName,
} from '@palimpsest/contracts';
import type { TranscriptRow } from './turn.js';

/** A `palimpsest.message.appended` event as the planner sees it. */
export function transcriptRow(event: PlacedEvent, counter: TokenCounterName): TranscriptRow {
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
