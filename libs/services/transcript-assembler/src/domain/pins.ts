import {
  PIN_ADDED,
  pinAddedSchema,
  pinRemovedSchema,
  type PlacedEvent,
  type TokenCounterName,
  type WindowPlanned,
} from '@palimpsest/contracts';

/** A text that every window feeds verbatim, at the place of the event that added it. */
export type Pin = NonNullable<WindowPlanned['pins']>[number];

/** The pins of a run after an event of `PIN_TYPES`, in log order. A pin that is added again stands at its new place. */
export function pinsKnownAfter(
  pins: readonly Pin[],
  event: PlacedEvent,
  counter: TokenCounterName,
): readonly Pin[] {
  if (event.type !== PIN_ADDED) {
    const { pinId: removed } = pinRemovedSchema.parse(event.payload);
    return pins.filter(({ pinId }) => pinId !== removed);
  }
  const { pinId, artifactId } = pinAddedSchema.parse(event.payload);
  const added = { pinId, sequence: event.sequence, artifactId, tokens: event.counts?.[counter] ?? 0 };
  return [...pins.filter((pin) => pin.pinId !== pinId), added];
}

/** What pins take of the budget before turns and summaries share it. */
export function pinTokensOf(pins: readonly Pin[]): number {
  return pins.reduce((sum, { tokens }) => sum + tokens, 0);
}
