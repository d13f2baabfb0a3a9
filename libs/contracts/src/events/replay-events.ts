import { z } from 'zod';

/** A replay met a refusal where its source had an answer, or the reverse (host specification §4.8, §6.5). */
export const REPLAY_DIVERGED_AT_REFUSAL = 'replay.divergedAtRefusal';

const envelopeKind = z.enum(['valid', 'refusal']);

/** Closed; the two kinds differ. Places and ids are the source's. */
export const replayDivergedAtRefusalSchema = z
  .strictObject({
    sourceRunId: z.string().min(1),
    atSequence: z.int().min(0),
    originalEnvelopeKind: envelopeKind,
    replayEnvelopeKind: envelopeKind,
    originalEventId: z.string().min(1).optional(),
    nodeId: z.string().min(1).optional(),
    refusalReason: z.string().optional(),
  })
  .refine(
    ({ originalEnvelopeKind, replayEnvelopeKind }) => originalEnvelopeKind !== replayEnvelopeKind,
    'the kinds must differ',
  );

export type EnvelopeKind = z.infer<typeof envelopeKind>;
export type ReplayDivergedAtRefusal = z.infer<typeof replayDivergedAtRefusalSchema>;
