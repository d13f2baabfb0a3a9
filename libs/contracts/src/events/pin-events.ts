import { z } from 'zod';
import { artifactIdSchema } from '../ids.js';

/** Text that every window of a run feeds verbatim. The envelope's `nodeId` is `pin:<pinId>`. */
export const PIN_ADDED = 'palimpsest.pin.added';
export const PIN_REMOVED = 'palimpsest.pin.removed';

/** Most pins of a run at a time. */
export const MOST_PINS = 64;

export const pinIdSchema = z.string().regex(/^pin_[A-Za-z0-9]{1,64}$/);

/** Content-free: the text is the artifact. `pinnedEventId`: the event whose content is pinned, where it is no text of its own. */
export const pinAddedSchema = z.strictObject({
  pinId: pinIdSchema,
  artifactId: artifactIdSchema,
  pinnedEventId: z.string().optional(),
  repaired: z.literal(true).optional(),
});

export const pinRemovedSchema = z.strictObject({ pinId: pinIdSchema });

/** Pins of a run in its header's state, by id. */
export const pinsStateSchema = z.record(
  pinIdSchema,
  z.strictObject({ sequence: z.int().min(0), tokens: z.int().min(0) }),
);

export type PinAdded = z.infer<typeof pinAddedSchema>;
export type PinRemoved = z.infer<typeof pinRemovedSchema>;
export type PinsState = z.infer<typeof pinsStateSchema>;
