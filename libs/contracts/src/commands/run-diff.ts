import { z } from 'zod';
import { forkOriginSchema } from '../events/own-loop-events.js';
import { runIdSchema, sequenceSchema, tenantIdSchema } from '../ids.js';
import { runStatusSchema } from '../run-status.js';
import { tokenCounterSchema } from '../token-counts.js';

/** Rows of `fromIteration` (default 1) and after, at most `limit` (default and most 500). */
export const diffRunsSchema = z.strictObject({
  tenantId: tenantIdSchema,
  runId: runIdSchema,
  otherRunId: runIdSchema,
  fromIteration: z.int().min(1).optional(),
  limit: z.int().min(1).max(500).optional(),
});

/** What the run is to the other: itself, a fork of it, its source (however far up), another fork of a third run, or nothing. */
export const RELATIONS = ['same', 'fork', 'source', 'siblings', 'unrelated'] as const;

/** In what two events at one place differ; `end`: only one of the runs has an event there. */
export const DIVERGING_PARTS = ['type', 'nodeId', 'schemaVersion', 'payload', 'causation', 'end'] as const;

const tokens = z.int().min(0);

const comparedRunSchema = z.strictObject({
  runId: runIdSchema,
  workflowId: z.string(),
  status: runStatusSchema,
  /** As of the comparison. */
  events: z.int().min(0),
  /** Windows recorded, and the unit of the last one; absent where there is none. */
  windows: z.int().min(0),
  tokenCounter: tokenCounterSchema.optional(),
  /** Over all windows that count in that unit. `notResentTokens`: saved against the unbounded transcript. */
  tokens: z.strictObject({ fedTokens: tokens, unboundedTokens: tokens, notResentTokens: tokens }),
  /** Recorded, over the whole run. */
  summaries: z.int().min(0),
  origin: forkOriginSchema.optional(),
});

const namedEventSchema = z.strictObject({ type: z.string(), nodeId: z.string().optional() });

const windowSideSchema = z.strictObject({
  /** Place of the window's event. */
  sequence: sequenceSchema,
  tokenCounter: tokenCounterSchema,
  fedTokens: tokens,
  unboundedTokens: tokens,
  /** Fed in it. */
  summaries: z.int().min(0),
});

const windowPairSchema = z.strictObject({
  iteration: z.int().min(1),
  /** The same stored texts were fed, in the same order and form. */
  identical: z.boolean(),
  /** Absent where that run has no such window. */
  run: windowSideSchema.optional(),
  other: windowSideSchema.optional(),
});

export const runDiffSchema = z.strictObject({
  /** No event differs in anything but ids and times. */
  identical: z.boolean(),
  relation: z.strictObject({
    kind: z.enum(RELATIONS),
    /** The nearest run whose events both begin with; one of the two where it is the other's source. */
    ancestorRunId: runIdSchema.optional(),
    /** Events that both have from there: they are the same rows, and are not compared. */
    sharedEvents: z.int().min(0),
  }),
  run: comparedRunSchema,
  other: comparedRunSchema,
  firstDivergence: z
    .strictObject({
      sequence: sequenceSchema,
      part: z.enum(DIVERGING_PARTS),
      run: namedEventSchema.optional(),
      other: namedEventSchema.optional(),
      /** The first window that either run took at or after it; absent where none did. */
      iteration: z.int().min(1).optional(),
    })
    .optional(),
  windows: z.array(windowPairSchema),
  /** Where to read on; absent at the end. */
  nextIteration: z.int().min(1).optional(),
  /**
   * Tokens that the run fed less than the other over `comparedIterations`; negative: more. Null where a run has no window, or
   * the last iteration that both have counts in different units.
   */
  fedTokensSaved: z.int().nullable(),
  /** Both inclusive: the iterations that both runs have, as far back as both count in one unit. Absent where nothing is compared. */
  comparedIterations: z.strictObject({ from: z.int().min(1), to: z.int().min(1) }).optional(),
});

export type DiffRuns = z.infer<typeof diffRunsSchema>;
export type RunDiff = z.infer<typeof runDiffSchema>;
export type ComparedRun = RunDiff['run'];
export type RunRelation = RunDiff['relation'];
export type FirstDivergence = NonNullable<RunDiff['firstDivergence']>;
export type DivergingPart = FirstDivergence['part'];
export type WindowPair = RunDiff['windows'][number];
export type WindowSide = NonNullable<WindowPair['run']>;
