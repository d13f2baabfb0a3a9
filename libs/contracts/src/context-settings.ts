import { z } from 'zod';
import { tokenCounterSchema } from './token-counts.js';

/**
 * `none` evicts; the others replace older turns by recorded summaries. `sliding-window`: one summary, which absorbs the
 * one before. `recursive`: a summary for each cut, several of which are merged into one of a higher tier. `map-reduce`: as
 * `sliding-window`, made in parts by several workers at once and then put together.
 */
export const CONTEXT_STRATEGIES = ['none', 'sliding-window', 'recursive', 'map-reduce'] as const;

export type ContextStrategy = (typeof CONTEXT_STRATEGIES)[number];

/** What a caller may say under `configurable.context`; the host fills in the rest. */
export const contextRequestSchema = z.strictObject({
  transcriptTokenBudget: z.int().min(1).optional(),
  tokenCounter: tokenCounterSchema.optional(),
  keepLastTurns: z.int().min(0).optional(),
  strategy: z.enum(CONTEXT_STRATEGIES).optional(),
  transcriptWindow: z.int().min(1).optional(),
});

export type ContextRequest = z.infer<typeof contextRequestSchema>;

/** The settings a run is held to, recorded on `run.started`; a branch may have others, see `palimpsest.run.overlaid`. */
export const contextSettingsSchema = z.strictObject({
  transcriptTokenBudget: z.int().min(1),
  tokenCounter: tokenCounterSchema,
  keepLastTurns: z.int().min(0),
  strategy: z.enum(CONTEXT_STRATEGIES),
  transcriptWindow: z.int().min(1).optional(),
});

export type ContextSettings = z.infer<typeof contextSettingsSchema>;
