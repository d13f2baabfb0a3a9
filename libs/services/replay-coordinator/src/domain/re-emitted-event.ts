import type { NewRunEvent, RecordedEvent } from '@palimpsest/contracts';
import { causeInFork } from '@palimpsest/kernel';

/**
 * A source's event as its replay records it: everything as it was, the cause named in the fork's own log.
 * Ids inside the payload stay the source's (host specification §6.7).
 */
export function reEmittedEvent(event: RecordedEvent, forkRunId: string): NewRunEvent {
  const { type, payload, schemaVersion, nodeId, causationId, counts } = event;
  return {
    type,
    payload,
    schemaVersion,
    ...(nodeId !== undefined && { nodeId }),
    ...(causationId !== undefined && { causationId: causeInFork(causationId, event.runId, forkRunId) }),
    ...(counts && { counts }),
  };
}
