import { z } from 'zod';

export const PROVIDER_USAGE = 'provider.usage';

const count = z.int().min(0);

/** Host specification §4.7, closed: one for each model invocation, a summarizer's too. Unknown numbers are absent. */
export const providerUsageSchema = z.strictObject({
  provider: z.string().min(1),
  model: z.string().min(1),
  inputTokens: count,
  outputTokens: count,
  totalTokens: count.optional(),
  costEstimateUsd: z.number().min(0).optional(),
  /** ISO 4217. */
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional(),
  cacheHit: z.boolean().optional(),
  cacheReadTokens: count.optional(),
  cacheWriteTokens: count.optional(),
  nodeId: z.string().min(1).max(256).optional(),
  traceId: z.string().min(1).optional(),
});

export type ProviderUsage = z.infer<typeof providerUsageSchema>;
