import { z } from 'zod';
import { artifactIdSchema, runIdSchema, sequenceSchema } from '../ids.js';
import { tokenCounterSchema } from '../token-counts.js';

/** Events of a run whose loop belongs to the caller. All payloads are closed and free of content. */
export const INSTRUCTION_ADDED = 'palimpsest.instruction.added';
export const MESSAGE_APPENDED = 'palimpsest.message.appended';
export const WINDOW_PLANNED = 'palimpsest.window.planned';

/** The workflow of a run whose loop belongs to the caller. */
export const EXTERNAL_WORKFLOW = 'palimpsest-external';

export const instructionAddedSchema = z.strictObject({
  role: z.literal('system'),
  artifactId: artifactIdSchema,
  /** Present and true where text had to be repaired (NUL, lone surrogates). */
  repaired: z.literal(true).optional(),
});

/**
 * A transcript message. `toolCallIds`: on an assistant message the ids it opens, in order; on a tool
 * message the one id it answers (its `causationId` is the event of the assistant message).
 */
export const messageAppendedSchema = z.strictObject({
  role: z.enum(['user', 'assistant', 'tool']),
  artifactId: artifactIdSchema,
  toolCallIds: z.array(z.string().min(1).max(256)),
  repaired: z.literal(true).optional(),
});

/** `[first, last]` sequences, both included. */
const sequenceRange = z.tuple([sequenceSchema, sequenceSchema]);

/**
 * A window as it was fed. Places are sequences, which a fork shares with its source, so the payload is
 * re-emitted unchanged. Everything the next window builds on is here.
 */
export const windowPlannedSchema = z.strictObject({
  iteration: z.int().min(1),
  /** Head of the log that the window was planned from. */
  asOfSequence: sequenceSchema,
  /** Sequence of the run's last message event as of then, −1 if none. */
  lastMessageSequence: z.int().min(-1),
  tokenCounter: tokenCounterSchema,
  tokenCount: z.int().min(0),
  /** What the whole transcript as of then would have cost, without the instructions. */
  unboundedTokenCount: z.int().min(0),
  /** Tokens of the system messages, outside the budget. */
  instructionTokens: z.int().min(0),
  /** Sequences of the `context.summarized` events fed, oldest first. */
  summarySequences: z.array(sequenceSchema),
  /** Every message event at or after it (up to `asOfSequence`) is fed or pending; older ones only as islands. */
  tailFromSequence: sequenceSchema,
  /** Older turns fed apart from the tail because they wait for a tool result: the sequences of their events. */
  islands: z.array(z.array(sequenceSchema).min(1)),
  /** Turns that wait for a tool result and were left out for want of room: the sequences of their events. */
  pending: z.array(z.array(sequenceSchema).min(1)),
  /** Fed in a cut form, whose text is the artifact. */
  cuts: z.array(
    z.strictObject({ sequence: sequenceSchema, artifactId: artifactIdSchema, tokens: z.int().min(0) }),
  ),
  /** Results of fed turns that are rendered as the empty text. */
  elided: z.array(sequenceRange),
  /** Of an execution loop: the renderings of the transcript's events since the window before, as artifacts. */
  turns: z.array(z.strictObject({ sequence: sequenceSchema, artifactId: artifactIdSchema })).optional(),
  /** Pins as of then, fed verbatim, in log order; absent where there are none. */
  pins: z
    .array(
      z.strictObject({
        pinId: z.string(),
        sequence: sequenceSchema,
        artifactId: artifactIdSchema,
        tokens: z.int().min(0),
      }),
    )
    .optional(),
  /** Fed summaries whose records count in another unit than this window: what they count in this one. */
  recounted: z.array(z.strictObject({ sequence: sequenceSchema, tokens: z.int().min(0) })).optional(),
  /** Messages as of then, instructions included. */
  messageCount: z.int().min(0),
  /** Over this window and all before it that were counted in the same unit; summaries over all. */
  totals: z.strictObject({
    fedTokens: z.int().min(0),
    unboundedTokens: z.int().min(0),
    summaries: z.int().min(0),
  }),
});

export type InstructionAdded = z.infer<typeof instructionAddedSchema>;
export type MessageAppended = z.infer<typeof messageAppendedSchema>;
export type WindowPlanned = z.infer<typeof windowPlannedSchema>;

export const forkOriginSchema = z.strictObject({
  runId: runIdSchema,
  fromSequence: sequenceSchema,
  mode: z.enum(['replay', 'branch']),
});

export type ForkOrigin = z.infer<typeof forkOriginSchema>;
