import {
  MOST_PINS,
  PIN_ADDED,
  PIN_REMOVED,
  pinnedTokens,
  type AddPin,
  type ContextSettings,
  type NewRunEvent,
  type PinsState,
  type RemovePin,
} from '@palimpsest/contracts';
import { NotFoundError, ValidationError } from '@palimpsest/kernel';
import { shapeBesidePins } from '@palimpsest/transcript';
import type { PinCommand } from './pin.commands.js';
import { PinsInfeasibleError } from './pin.errors.js';

/** A run that goes on, as far as its windows are concerned. */
export type PinnedRun = {
  readonly context?: ContextSettings | undefined;
  readonly pins?: PinsState | undefined;
};

/** The event of a command on pins. @throws NotFoundError, ValidationError, PinsInfeasibleError */
export function decidePin(command: PinCommand, run: PinnedRun): NewRunEvent {
  return command.kind === 'add-pin' ? added(command, run) : removed(command, run);
}

function added(command: AddPin, { context, pins = {} }: PinnedRun): NewRunEvent {
  const { pinId, artifactId, counts, repaired, pinnedEventId } = command;
  if (!context) throw new ValidationError('The run has no context settings, so no window could hold a pin.');
  if (Object.hasOwn(pins, pinId))
    throw new ValidationError('The run has a pin of this id.', { field: 'pinId', rule: 'unique' });
  if (Object.keys(pins).length >= MOST_PINS)
    throw new ValidationError(`A run has ${MOST_PINS} pins at most.`, { mostPins: MOST_PINS });
  requireRoom(context, {
    tokens: pinnedTokens({ pins }) + counts[context.tokenCounter],
    entries: Object.keys(pins).length + 1,
  });
  const payload = {
    pinId,
    artifactId,
    ...(pinnedEventId !== undefined && { pinnedEventId }),
    ...(repaired && { repaired }),
  };
  return { ...envelopeOf(command), type: PIN_ADDED, payload, counts };
}

/** What the pins take is not there for the turns, in tokens and in entries. */
function requireRoom(context: ContextSettings, pinned: Parameters<typeof shapeBesidePins>[1]): void {
  const verdict = shapeBesidePins(context, pinned);
  if (!verdict.feasible) throw new PinsInfeasibleError(context, verdict);
}

function removed(command: RemovePin, { pins = {} }: PinnedRun): NewRunEvent {
  const { pinId } = command;
  if (!Object.hasOwn(pins, pinId)) throw new NotFoundError('The pin', { pinId });
  return { ...envelopeOf(command), type: PIN_REMOVED, payload: { pinId } };
}

/** No two pins share a type and a node. */
function envelopeOf({
  pinId,
}: PinCommand | AddPin | RemovePin): Pick<NewRunEvent, 'nodeId' | 'schemaVersion'> {
  return { nodeId: `pin:${pinId}`, schemaVersion: 1 };
}
