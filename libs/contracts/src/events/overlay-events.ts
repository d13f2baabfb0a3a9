import { z } from 'zod';
import { contextSettingsSchema } from '../context-settings.js';
import { trustedJsonObjectSchema } from '../storable-json.js';
import { MOST_PINS, pinsStateSchema } from './pin-events.js';
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

/** Most bytes, as JSON, that the event has beside the overlay: as many pins as a run may have, and the greatest numbers. */
export const RECOUNTED_BYTES = greatestRecount().length;

function greatestRecount(): string {
  const greatest = Number.MAX_SAFE_INTEGER;
  const pinIds = Array.from({ length: MOST_PINS }, (_, place) => `pin_${String(place).padStart(64, '0')}`);
  const pins = Object.fromEntries(pinIds.map((id) => [id, { sequence: greatest, tokens: greatest }]));
  return JSON.stringify({ transcriptTokens: greatest, instructionTokens: greatest, pins });
}

export type RunOverlay = z.infer<typeof runOverlaySchema>;
export type RunOverlaid = z.infer<typeof runOverlaidSchema>;
