import { z } from 'zod';
import { runIdSchema } from './ids.js';

/** SHA-256 as lower-case hexadecimal. */
export const sha256HexSchema = z.string().regex(/^[0-9a-f]{64}$/, 'a SHA-256 in hexadecimal');

/**
 * An event's place in its run's hash chain. A fork shows events that other runs wrote, and names their causes in its own
 * log; the link was made of what was written: by `writtenIn`, with `causationId`.
 */
export const eventLinkSchema = z.strictObject({
  writtenIn: runIdSchema,
  causationId: z.string().optional(),
  contentHash: sha256HexSchema,
  link: sha256HexSchema,
});

export type EventLink = {
  readonly writtenIn: string;
  readonly causationId?: string;
  readonly contentHash: string;
  readonly link: string;
};
