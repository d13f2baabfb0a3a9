import { z } from 'zod';
import { artifactIdSchema } from '../ids.js';
import { replayFlagsSchema } from '../replay-flags.js';
import { tokenCounterSchema } from '../token-counts.js';

export const RUN_STARTED = 'run.started';
export const RUN_COMPLETED = 'run.completed';
export const RUN_FAILED = 'run.failed';
export const RUN_CANCELLED = 'run.cancelled';
export const CONTEXT_SUMMARIZED = 'context.summarized';

/** Host specification §4.1 (open). */
export const runStartedSchema = z.looseObject({
  workflowId: z.string().min(1),
  inputs: z.record(z.string(), z.json()).optional(),
  transport: z.enum(['rest', 'mcp', 'a2a', 'ui']).optional(),
  owner: z.strictObject({ tenant: z.string() }).optional(),
  tags: z.array(z.string()).optional(),
  metadata: z.record(z.string(), z.json()).optional(),
  /** How the run is derived, for as long as there is its log (see `REPLAY_FLAGS`). */
  replayFlags: replayFlagsSchema.optional(),
});

/** Host specification §4.1 (open). */
export const runCompletedSchema = z.looseObject({ outputs: z.record(z.string(), z.json()) });

/** Host specification §4.5: exactly these six keys, no text. */
export const contextSummarizedSchema = z.strictObject({
  iteration: z.int().min(1),
  replacedTurns: z.array(z.string().min(1).max(128)).min(1).max(512),
  summaryRef: artifactIdSchema,
  tokenCounter: tokenCounterSchema,
  tokensBefore: z.int().min(0),
  tokensAfter: z.int().min(0),
});

export type ContextSummarized = z.infer<typeof contextSummarizedSchema>;
