import { z } from 'zod';
import { TerminalError } from '@palimpsest/kernel';
import { parseRequest } from './parse-request.js';

/** Host specification §3.7. */
export const STREAM_MODES = ['updates', 'values', 'messages', 'debug'] as const;

export type StreamMode = (typeof STREAM_MODES)[number];

const wholeNumber = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number')
  .transform(Number);

export const eventStreamQuerySchema = z.object({
  streamMode: z.string().optional(),
  bufferMs: wholeNumber.refine((value) => value <= 5000, 'must lie between 0 and 5000').optional(),
});

export type EventStreamRequest = { readonly modes: readonly StreamMode[]; readonly bufferMs: number };

export class UnsupportedStreamModeError extends TerminalError {
  constructor() {
    super('unsupported_stream_mode', `streamMode: ${STREAM_MODES.join(', ')}, or several without values.`, {
      details: { field: 'query.streamMode', supported: [...STREAM_MODES] },
    });
  }
}

/** The mode is judged before the buffer (host specification §3.7). */
export function eventStreamRequestOf(query: unknown): EventStreamRequest {
  const streamMode = (query as { streamMode?: unknown } | null)?.streamMode;
  const modes = streamModesOf(streamMode);
  const { bufferMs = 0 } = parseRequest(eventStreamQuerySchema, query, 'query');
  return { modes, bufferMs };
}

function streamModesOf(text: unknown): readonly StreamMode[] {
  if (text === undefined) return ['updates'];
  const words = typeof text === 'string' ? text.split(',') : [];
  const known = words.every((word) => (STREAM_MODES as readonly string[]).includes(word));
  if (words.length === 0 || !known || (words.includes('values') && words.length > 1)) {
    throw new UnsupportedStreamModeError();
  }
  return words as StreamMode[];
}

/**
 * The sequence to go on with after a reconnect. An id that this stream cannot have given is no reason to lose
 * events: one that is no number starts at the beginning, one beyond the head starts behind the head.
 */
export function resumeSequence(lastEventId: string | undefined, head: number): number {
  const id = lastEventId?.trim() ?? '';
  if (!/^\d{1,20}$/.test(id)) return 0;
  return Math.min(Number(id), head) + 1;
}

const MESSAGE_TYPES = /^ai\.message\.chunk$/;

/** The engine's own bookkeeping, and types of this host: `debug` only (host specification §3.7). */
const DEBUG_ONLY =
  /^(?:node\.(?:started|retried)$|variable\.changed$|version\.pinned$|lease\.|log\.appended$|replay\.diverged$|palimpsest\.)/;

export function isInModes(type: string, modes: readonly StreamMode[]): boolean {
  return modes.some((mode) => {
    if (mode === 'debug') return true;
    if (mode === 'messages') return MESSAGE_TYPES.test(type);
    return mode === 'updates' && !DEBUG_ONLY.test(type) && !MESSAGE_TYPES.test(type);
  });
}
