export type EventStreamMode = 'updates' | 'messages' | 'debug';

export type Follow = {
  /** The id, which is the sequence, of the last event that is known. Absent: from the first. */
  readonly lastEventId?: string;
  readonly signal?: AbortSignal;
  /** A stream without a byte for longer is taken for broken. */
  readonly silenceMs?: number;
};

export type FollowEvents = Follow & {
  /** Host specification §3.7; several are given as a list. */
  readonly streamMode?: EventStreamMode | readonly EventStreamMode[];
  /** How long the server may gather events before it sends them, 0 to 5000. */
  readonly bufferMs?: number;
};

export type Poll = {
  /** Events behind this one; absent: all. */
  readonly lastSequence?: number;
  /** How long the server waits for the first of them. */
  readonly timeoutSeconds?: number;
  readonly signal?: AbortSignal;
};

export function eventQuery({ streamMode, bufferMs }: FollowEvents): {
  readonly streamMode?: string;
  readonly bufferMs?: string;
} {
  return {
    ...(streamMode !== undefined && { streamMode: [streamMode].flat().join(',') }),
    ...(bufferMs !== undefined && { bufferMs: String(bufferMs) }),
  };
}

export function pollQuery({ lastSequence, timeoutSeconds }: Poll): {
  readonly lastSequence?: string;
  readonly timeout?: string;
} {
  return {
    ...(lastSequence !== undefined && { lastSequence: String(lastSequence) }),
    ...(timeoutSeconds !== undefined && { timeout: String(timeoutSeconds) }),
  };
}
