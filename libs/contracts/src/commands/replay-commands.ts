import { z } from 'zod';
import { runIdSchema, sequenceSchema, tenantIdSchema } from '../ids.js';
import { runStatusSchema } from '../run-status.js';

export const REPLAY_SUBJECTS = {
  fork: 'palimpsest.replay.fork',
  verify: 'palimpsest.replay.verify',
} as const;

export const forkRunSchema = z.strictObject({
  tenantId: tenantIdSchema,
  /** Source. */
  runId: runIdSchema,
  /** Id of the fork, allocated by the caller so that a retry names the same one. */
  forkRunId: runIdSchema,
  mode: z.enum(['replay', 'branch']),
  fromSeq: sequenceSchema.optional(),
});

export const forkedRunSchema = z.strictObject({
  runId: runIdSchema,
  sourceRunId: runIdSchema,
  fromSeq: sequenceSchema,
  mode: z.enum(['replay', 'branch']),
  status: runStatusSchema,
});

export type ForkRun = z.infer<typeof forkRunSchema>;
export type ForkedRun = z.infer<typeof forkedRunSchema>;
