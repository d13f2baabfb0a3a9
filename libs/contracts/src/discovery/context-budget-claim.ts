import { z } from 'zod';
import { CONTEXT_STRATEGIES, type ContextStrategy } from '../context-settings.js';

/** Units of the protocol: `host-defined` is one that this host never claims. */
export const CLAIMED_COUNTERS = ['o200k_base', 'cl100k_base', 'chars', 'host-defined'] as const;

/** `none` is said by leaving `summarization` out. */
export const SUMMARY_STRATEGIES = CONTEXT_STRATEGIES.filter(
  (strategy): strategy is Exclude<ContextStrategy, 'none'> => strategy !== 'none',
);

export const summarizationClaimSchema = z.strictObject({
  supported: z.boolean(),
  strategy: z.enum(SUMMARY_STRATEGIES).optional(),
  keepLastTurns: z.int().min(0).optional(),
});

/**
 * `multiAgent.executionModel.contextBudget` of a discovery document (host specification §1.3, closed): a budget means
 * nothing without its unit.
 */
export const contextBudgetClaimSchema = z
  .strictObject({
    /** Absent: no bound in tokens. */
    transcriptTokenBudget: z.int().min(1).optional(),
    tokenCounter: z.enum(CLAIMED_COUNTERS).optional(),
    summarization: summarizationClaimSchema.optional(),
  })
  .refine(
    ({ transcriptTokenBudget: budget, tokenCounter }) => budget === undefined || tokenCounter !== undefined,
    {
      path: ['tokenCounter'],
      message: 'is required where there is a transcriptTokenBudget',
    },
  );

export type ContextBudgetClaim = z.infer<typeof contextBudgetClaimSchema>;
