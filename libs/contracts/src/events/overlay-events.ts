import { z } from 'zod';
import { contextSettingsSchema } from '../context-settings.js';
import { trustedJsonObjectSchema } from '../storable-json.js';
import { pinsStateSchema } from './pin-events.js';
import { runBoundsSchema } from './workflow-events.js';

/** A branch runs on under other settings than its source (host specification §6.1): the first event of its own. */
export const RUN_OVERLAID = 'palimpsest.run.overlaid';

/** The settings in force from here on, resolved and whole; what is absent stays as it was. */
export const runOverlaySchema = z.strictObject({
  context: contextSettingsSchema.optional(),
  /** Without `context`. */
  configurable: trustedJsonObjectSchema.optional(),
  tags: z.array(z.string()).optional(),
  metadata: trustedJsonObjectSchema.optional(),
  /** Of a run that the host executes. */
  bounds: runBoundsSchema.optional(),
});

/** Closed. The numbers are there where `context` counts in another unit: what was said before, in that unit. */
export const runOverlaidSchema = runOverlaySchema.extend({
  /** Tokens of all transcript messages, and of all instructions. */
  transcriptTokens: z.int().min(0).optional(),
  instructionTokens: z.int().min(0).optional(),
  /** Absent where there are none. */
  pins: pinsStateSchema.optional(),
});

export type RunOverlay = z.infer<typeof runOverlaySchema>;
export type RunOverlaid = z.infer<typeof runOverlaidSchema>;
