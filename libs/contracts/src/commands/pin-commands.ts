import { z } from 'zod';
import { pinIdSchema } from '../events/pin-events.js';
import { artifactIdSchema, runIdSchema, sequenceSchema, tenantIdSchema } from '../ids.js';
import { storableTextSchema } from '../storable-json.js';
import { tokenCountsSchema } from '../token-counts.js';
import { commandIdSchema } from './run-log-commands.js';

/** Pins of a run of either kind; the run log answers. */
export const PIN_SUBJECTS = {
  add: 'palimpsest.run-log.add-pin',
  remove: 'palimpsest.run-log.remove-pin',
} as const;

const runKey = { tenantId: tenantIdSchema, runId: runIdSchema };
const commandId = commandIdSchema.optional();

/**
 * A text whose content is already durable. Refused with `context_budget_infeasible` where the turns to keep would not
 * fit beside all pins, with `run_not_active` on a run that has ended or repeats another.
 */
export const addPinSchema = z.strictObject({
  ...runKey,
  pinId: pinIdSchema,
  artifactId: artifactIdSchema,
  counts: tokenCountsSchema,
  repaired: z.boolean(),
  pinnedEventId: storableTextSchema.min(1).max(256).optional(),
  commandId,
});

/** `not_found` where the run has no such pin. */
export const removePinSchema = z.strictObject({ ...runKey, pinId: pinIdSchema, commandId });

export const pinAnswerSchema = z.strictObject({
  pinId: pinIdSchema,
  eventId: z.string(),
  sequence: sequenceSchema,
  /** Of all pins of the run after it, in the run's unit. */
  pinnedTokens: z.int().min(0),
});

export type AddPin = z.infer<typeof addPinSchema>;
export type RemovePin = z.infer<typeof removePinSchema>;
export type PinAnswer = z.infer<typeof pinAnswerSchema>;
