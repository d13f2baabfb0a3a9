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

/** A node whose work is pure came to something else when the replay did it again (host specification §4.8). */
export const REPLAY_DIVERGED = 'replay.diverged';

/**
 * Open. The recorded outcome stands, and the replay goes on with it. Places and ids are the source's; what differs is named,
 * not shown.
 */
export const replayDivergedSchema = z.looseObject({
  sourceRunId: z.string().min(1),
  atSequence: z.int().min(0),
  originalEventId: z.string().min(1),
  /** `missing`: the node would not have ended there. `type-mismatch`: it would have ended in another way. */
  divergenceKind: z.enum(['output', 'missing', 'extra', 'type-mismatch']),
  /** Member of the recorded payload that differs, or `type`. */
  divergencePoint: z.string().min(1),
  nodeId: z.string().min(1),
});

export type EnvelopeKind = z.infer<typeof envelopeKind>;
export type ReplayDivergedAtRefusal = z.infer<typeof replayDivergedAtRefusalSchema>;
export type ReplayDiverged = z.infer<typeof replayDivergedSchema>;
