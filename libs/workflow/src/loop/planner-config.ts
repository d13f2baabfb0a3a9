import { z } from 'zod';

/** What a supervisor's node says to the planner that asks a model. Other keys are nobody's concern (host specification §5.9). */
export const plannerConfigSchema = z.object({
  prompt: z.string().min(1).optional(),
  /** Workers that may be named; without them, any. */
  workers: z.array(z.string().min(1).max(256)).min(1).max(256).optional(),
  /** Of the configured provider; without it, the one that is configured. */
  model: z.string().min(1).max(256).optional(),
  maxOutputTokens: z.int().min(1).max(1_000_000).default(1024),
  temperature: z.number().min(0).max(2).optional(),
  /** Longest wait for one answer of the provider, in milliseconds. */
  timeoutMs: z.int().min(1).max(600_000).optional(),
});

export type PlannerConfig = z.infer<typeof plannerConfigSchema>;
