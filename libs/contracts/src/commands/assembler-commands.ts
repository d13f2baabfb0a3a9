import { z } from 'zod';
import { artifactIdSchema, runIdSchema, sequenceSchema, tenantIdSchema } from '../ids.js';
import { sha256HexSchema } from '../event-link.js';
import { windowPlannedSchema } from '../events/own-loop-events.js';

/** Bus subjects that the transcript assembler answers. */
export const ASSEMBLER_SUBJECTS = {
  planWindow: 'palimpsest.assembler.plan-window',
  readWindow: 'palimpsest.assembler.read-window',
  explainWindow: 'palimpsest.assembler.explain-window',
  usage: 'palimpsest.assembler.usage',
  verify: 'palimpsest.assembler.verify',
  claimSummary: 'palimpsest.assembler.claim-summary',
  completeSummary: 'palimpsest.assembler.complete-summary',
} as const;

const runKey = { tenantId: tenantIdSchema, runId: runIdSchema };

export const planWindowSchema = z.strictObject({
  ...runKey,
  /** Head of the log that the caller has seen; the window omits nothing up to there. */
  asOfSequence: sequenceSchema,
  expectedSequence: z.int().min(-1).optional(),
  /** Of an execution loop: the turn to be fed, and the supervisor's node. Asked again, the same window answers. */
  turn: z.strictObject({ iteration: z.int().min(1), nodeId: z.string().min(1).max(256) }).optional(),
});

export const readWindowSchema = z.strictObject({
  ...runKey,
  iteration: z.int().min(1),
  /** `next` of the part before. Default: from the beginning. */
  from: z.int().min(0).optional(),
});

export const runQuerySchema = z.strictObject(runKey);

/** Rows of `fromIteration` (default 1) and after, at most `limit` (default and most 500); totals are over the whole run. */
export const usageQuerySchema = z.strictObject({
  ...runKey,
  fromIteration: z.int().min(1).optional(),
  limit: z.int().min(1).max(500).optional(),
});

/** One entry of a window, without its text: the gateway renders it from the artifact. */
export const windowEntrySchema = z.strictObject({
  kind: z.enum(['turn', 'summary', 'pin']),
  eventId: z.string(),
  sequence: sequenceSchema,
  /** First sequence of the turn it belongs to. */
  turn: sequenceSchema,
  role: z.enum(['user', 'assistant', 'tool']),
  /** Full message, cut rendering or summary. */
  artifactId: artifactIdSchema,
  form: z.enum(['full', 'cut', 'elided']),
  tokens: z.int().min(0),
  /** The message itself, where the entry is fed in a cut form. */
  messageArtifactId: artifactIdSchema.optional(),
  toolCallIds: z.array(z.string()),
});

export const instructionEntrySchema = z.strictObject({
  eventId: z.string(),
  sequence: sequenceSchema,
  artifactId: artifactIdSchema,
});

/** A window as it travels between services: ids, counts and places only. A large one travels in parts. */
export const windowPlanSchema = z.strictObject({
  eventId: z.string(),
  window: windowPlannedSchema,
  entries: z.array(windowEntrySchema),
  instructions: z.array(instructionEntrySchema),
  summarizedRanges: z.array(
    z.strictObject({ summaryRef: artifactIdSchema, replacedTurns: z.array(z.string()), eventId: z.string() }),
  ),
  /** Where the window's next entries or instructions are read; absent with the last part. */
  next: z.int().min(1).optional(),
});

export type PlanWindow = z.infer<typeof planWindowSchema>;
export type ReadWindow = z.infer<typeof readWindowSchema>;
export type RunQuery = z.infer<typeof runQuerySchema>;
export type UsageQuery = z.infer<typeof usageQuerySchema>;
export type WindowEntry = z.infer<typeof windowEntrySchema>;
export type InstructionEntry = z.infer<typeof instructionEntrySchema>;
export type WindowPlan = z.infer<typeof windowPlanSchema>;

/** What became of transcript events at a window. */
export const FATES = ['fed', 'elided', 'summarized', 'evicted', 'pending'] as const;

export const fateRangeSchema = z.strictObject({
  fate: z.enum(FATES),
  reason: z.string(),
  fromSequence: sequenceSchema,
  toSequence: sequenceSchema,
  events: z.int().min(1),
  summaryEventId: z.string().optional(),
});

/** Every transcript event as of the window, in runs of equal fate, in log order. */
export const windowExplanationSchema = z.strictObject({ fates: z.array(fateRangeSchema) });

export type Fate = (typeof FATES)[number];
export type FateRange = z.infer<typeof fateRangeSchema>;
export type WindowExplanation = z.infer<typeof windowExplanationSchema>;

export const usageRowSchema = z.strictObject({
  iteration: z.int().min(1),
  messages: z.int().min(0),
  fedTokens: z.int().min(0),
  unboundedTokens: z.int().min(0),
  notResentTokens: z.int().min(0),
  summaries: z.int().min(0),
});

export const usageSchema = z.strictObject({
  iterations: z.array(usageRowSchema),
  /** Where to read on; absent at the end. */
  nextIteration: z.int().min(1).optional(),
  total: z.strictObject({
    fedTokens: z.int().min(0),
    unboundedTokens: z.int().min(0),
    notResentTokens: z.int().min(0),
    summaries: z.int().min(0),
  }),
});

export type UsageRow = z.infer<typeof usageRowSchema>;
export type Usage = z.infer<typeof usageSchema>;

/** What the events of a run are, beside its windows. */
export const logVerificationSchema = z.strictObject({
  /** Events that are as recorded, from the first on. */
  eventsChecked: z.int().min(0),
  /**
   * `none`: the run is older than the chains of the log, so that a change of an event need not show. `not checked`: not to
   * its end, as there is another difference before.
   */
  chain: z.enum(['whole', 'broken', 'none', 'not checked']),
  /** The link of the head, where the chain is whole: it stands for all events. */
  link: sha256HexSchema.optional(),
  /** Of what these events name: read and as stored, or erased on purpose. */
  artifacts: z.strictObject({ readable: z.int().min(0), erased: z.int().min(0) }),
});

export const verificationSchema = z.strictObject({
  ok: z.boolean(),
  windowsChecked: z.int().min(0),
  artifactsChecked: z.int().min(0),
  /** Summary jobs that windows of this very run have asked for: none on a replay. */
  summarizerCalls: z.int().min(0),
  /** SHA-256 (lower-case hex) over the rendered text of every window in order: two runs that fed the same bytes agree. */
  windowsDigest: z.string(),
  /** Absent where windows alone are verified, as by the assembler. */
  log: logVerificationSchema.optional(),
  /**
   * Of a run that the host executes: calls of models whose request was made again and has the cache key that was kept with
   * the answer, and those of which nothing is kept any more.
   */
  modelCalls: z.strictObject({ checked: z.int().min(0), unkept: z.int().min(0) }).optional(),
  /** The one of the lowest sequence. */
  firstDifference: z
    .strictObject({
      iteration: z.int().min(1).optional(),
      sequence: sequenceSchema.optional(),
      what: z.string(),
    })
    .optional(),
  /**
   * On a fork: its source, how many events are the source's own rows, so that there is nothing to compare, and how many the
   * fork recorded again as the source has them; windows and summaries are among these. None on a branch.
   */
  comparedWith: z
    .strictObject({
      runId: runIdSchema,
      sharedEvents: z.int().min(0),
      events: z.int().min(0),
      windows: z.int().min(0),
      summaries: z.int().min(0),
    })
    .optional(),
});

export type LogVerification = z.infer<typeof logVerificationSchema>;
export type Verification = z.infer<typeof verificationSchema>;
