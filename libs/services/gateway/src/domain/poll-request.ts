import { z } from 'zod';
import { parseRequest } from './parse-request.js';

/** Longest wait in seconds that may be asked for, and the one where none is (shorter than common clients' own limit). */
const MAX_WAIT_S = 60;
const DEFAULT_WAIT_S = 10;

const wholeNumber = z.string().regex(/^-?\d{1,30}$/, 'must be a whole number');

/** `since` is the older name of `lastSequence` (host specification §3.8). */
export const pollQuerySchema = z.object({
  lastSequence: wholeNumber.optional(),
  since: wholeNumber.optional(),
  timeout: z
    .string()
    .regex(/^\d{1,4}$/, 'must be a whole number of seconds')
    .transform(Number)
    .refine((seconds) => seconds <= MAX_WAIT_S, `must lie between 0 and ${MAX_WAIT_S}`)
    .optional(),
});

export type PollRequest = {
  /** First sequence wanted. */
  readonly fromSequence: number;
  readonly waitMs: number;
};

export function pollRequestOf(query: unknown): PollRequest {
  const { lastSequence, since, timeout = DEFAULT_WAIT_S } = parseRequest(pollQuerySchema, query, 'query');
  return { fromSequence: firstAfter(lastSequence ?? since ?? '-1'), waitMs: timeout * 1000 };
}

/** A place no log reaches is as good as any beyond the end: numbers that lose digits are not read as others. */
function firstAfter(text: string): number {
  const sequence = Math.max(-1, Math.min(Number(text), Number.MAX_SAFE_INTEGER - 1));
  return sequence + 1;
}
