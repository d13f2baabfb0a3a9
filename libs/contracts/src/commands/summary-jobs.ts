import { z } from 'zod';
import { artifactIdSchema, runIdSchema, sequenceSchema, tenantIdSchema } from '../ids.js';
import { tokenCounterSchema } from '../token-counts.js';

/** Work for the summarizer fleet: places and artifact ids, never content. */
export const summaryJobSchema = z.strictObject({
  /** Function of the run and of what is replaced: the same job twice is one job. */
  jobId: z.string().min(1).max(128),
  tenantId: tenantIdSchema,
  runId: runIdSchema,
  tokenCounter: tokenCounterSchema,
  /** Most tokens that the rendered summary may count. */
  maxTokens: z.int().min(1),
  /** The summary absorbed, if any. */
  previousRef: artifactIdSchema.optional(),
  /** Messages that the summary newly stands for, in log order. */
  messages: z.array(z.strictObject({ sequence: sequenceSchema, artifactId: artifactIdSchema })).max(512),
});

export const summaryResultSchema = z.discriminatedUnion('outcome', [
  z.strictObject({
    outcome: z.literal('made'),
    jobId: z.string(),
    tenantId: tenantIdSchema,
    summaryRef: artifactIdSchema,
    tokens: z.int().min(1),
  }),
  /** Nothing to keep, or not smaller than what it would replace. */
  z.strictObject({
    outcome: z.literal('refused'),
    jobId: z.string(),
    tenantId: tenantIdSchema,
    reason: z.string(),
  }),
]);

export type SummaryJob = z.infer<typeof summaryJobSchema>;
export type SummaryResult = z.infer<typeof summaryResultSchema>;
