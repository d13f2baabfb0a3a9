import type { RunEventNotice } from '@palimpsest/contracts';
import type { CommittedEvent } from '@palimpsest/kernel';

/** The envelope of a committed event: everything but its payload, which consumers read from the log. */
export function noticeOf({ tenantId, event }: CommittedEvent): RunEventNotice {
  const { eventId, runId, type, timestamp, sequence, schemaVersion, nodeId, causationId } = event;
  return {
    tenantId,
    eventId,
    runId,
    type,
    timestamp,
    sequence,
    schemaVersion,
    ...(nodeId !== undefined && { nodeId }),
    ...(causationId !== undefined && { causationId }),
  };
}
