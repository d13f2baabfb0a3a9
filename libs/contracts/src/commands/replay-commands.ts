import { z } from 'zod';
import { runOverlaySchema } from '../events/overlay-events.js';
import { runIdSchema, sequenceSchema, tenantIdSchema } from '../ids.js';
import { runStatusSchema } from '../run-status.js';

export const REPLAY_SUBJECTS = {
  fork: 'palimpsest.replay.fork',
  forkAgain: 'palimpsest.replay.fork-again',
  verify: 'palimpsest.replay.verify',
  diff: 'palimpsest.replay.diff',
} as const;

export const forkRunSchema = z
  .strictObject({
    tenantId: tenantIdSchema,
    /** Source. */
    runId: runIdSchema,
    /** Id of the fork, allocated by the caller so that a retry names the same one. */
    forkRunId: runIdSchema,
    mode: z.enum(['replay', 'branch']),
    fromSeq: sequenceSchema.optional(),
    /** Settings that the branch runs on under, resolved against those in force at `fromSeq`. */
    overlay: runOverlaySchema.optional(),
    /** SHA-256 of the overlay as it was asked for: that it is the same is to be seen where it would be resolved otherwise by now. */
    overlayDigest: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional(),
  })
  .refine(({ mode, overlay, overlayDigest }) => mode === 'branch' || (!overlay && !overlayDigest), {
    path: ['overlay'],
    message: 'is for a branch only',
  });

export const forkedRunSchema = z.strictObject({
  runId: runIdSchema,
  sourceRunId: runIdSchema,
  fromSeq: sequenceSchema,
  mode: z.enum(['replay', 'branch']),
  status: runStatusSchema,
});

/** Absent where no such fork was ever allowed. */
export const recordedForkSchema = z.strictObject({ forked: forkedRunSchema.optional() });

export type ForkRun = z.infer<typeof forkRunSchema>;
export type ForkedRun = z.infer<typeof forkedRunSchema>;
