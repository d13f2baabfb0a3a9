import { PIN_ADDED, PIN_REMOVED, type PinsState } from './events/pin-events.js';
import type { NewRunEvent } from './run-event.js';
import type { TokenCounterName } from './token-counts.js';

/** Types that change the pins of a run, of either kind. */
export const PIN_TYPES = [PIN_ADDED, PIN_REMOVED] as const;

type Pinned = { readonly pins?: PinsState };

/** The pins of a run after an event of {@link PIN_TYPES}: a member of its state, and absent where there are none. */
export function pinsAfter(
  pins: PinsState | undefined,
  event: NewRunEvent & { readonly sequence: number },
  counter: TokenCounterName,
): Pinned {
  const pinId = event.payload['pinId'] as string;
  const { [pinId]: _former, ...others } = pins ?? {};
  if (event.type === PIN_ADDED)
    return {
      pins: { ...others, [pinId]: { sequence: event.sequence, tokens: event.counts?.[counter] ?? 0 } },
    };
  return Object.keys(others).length === 0 ? {} : { pins: others };
}

/** What all pins of a run count together, in its unit. */
export function pinnedTokens({ pins }: Pinned): number {
  return Object.values(pins ?? {}).reduce((sum, { tokens }) => sum + tokens, 0);
}
