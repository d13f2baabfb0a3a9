import { z } from 'zod';
import { artifactIdSchema, runIdSchema, sequenceSchema, tenantIdSchema } from '../ids.js';
import { providerUsageSchema } from '../events/provider-usage.js';
import { tokenCounterSchema } from '../token-counts.js';

/** Most messages of one job, and most summaries that it puts together. */
export const JOB_MESSAGES = 512;
export const JOB_SUMMARIES = 64;

/** Work for the summarizer fleet: places and artifact ids, never content. */
export const summaryJobSchema = z.strictObject({
  /** Function of the run and of what is replaced: the same job twice is one job. */
  jobId: z.string().min(1).max(128),
  tenantId: tenantIdSchema,
  runId: runIdSchema,
  tokenCounter: tokenCounterSchema,
  /** Most tokens that the rendered summary may count. */
  maxTokens: z.int().min(1),
  /** The summaries that it absorbs, oldest first. */
  absorbed: z.array(artifactIdSchema).max(JOB_SUMMARIES),
  /** Messages that the summary newly stands for, in log order. */
  messages: z
    .array(z.strictObject({ sequence: sequenceSchema, artifactId: artifactIdSchema }))
    .max(JOB_MESSAGES),
});

/**
 * One call of a model that a job took. `invocationId` names it (host specification §8.2): the same result told twice is
 * billed once.
 */
export const summaryInvocationSchema = z.strictObject({
  invocationId: z.string().min(1).max(128),
  usage: providerUsageSchema,
});

/** Calls of models stand in both outcomes: what a model answered may be of no use, and is billed all the same. */
const invocations = z.array(summaryInvocationSchema).max(64).optional();

export const summaryResultSchema = z.discriminatedUnion('outcome', [
  z.strictObject({
    outcome: z.literal('made'),
    jobId: z.string(),
    tenantId: tenantIdSchema,
    summaryRef: artifactIdSchema,
    tokens: z.int().min(1),
    /** Who made it: a model, or the deterministic summarizer, also as the fallback of a model. */
    by: z.enum(['model', 'extractive']),
    invocations,
  }),
  /** Nothing to keep, or not smaller than what it would replace. */
  z.strictObject({
    outcome: z.literal('refused'),
    jobId: z.string(),
    tenantId: tenantIdSchema,
    reason: z.string(),
    invocations,
  }),
]);

/** Asked by a worker before it starts on a job: whether an answer is still wanted, and nobody else is at it. */
export const claimSummarySchema = z.strictObject({
  jobId: z.string().min(1).max(128),
  tenantId: tenantIdSchema,
  /** Names the worker's delivery; the same may claim again. */
  claimant: z.string().min(1).max(128),
  leaseMs: z.int().min(1000).max(600_000),
});

/** `work`: it is the claimant's until the lease ends. `done`: it has its answer. `taken`: somebody else works on it. */
export const summaryClaimSchema = z.strictObject({ verdict: z.enum(['work', 'done', 'taken']) });

export type SummaryInvocation = z.infer<typeof summaryInvocationSchema>;
export type ClaimSummary = z.infer<typeof claimSummarySchema>;
export type SummaryClaim = z.infer<typeof summaryClaimSchema>;
export type SummaryJob = z.infer<typeof summaryJobSchema>;
export type SummaryResult = z.infer<typeof summaryResultSchema>;
