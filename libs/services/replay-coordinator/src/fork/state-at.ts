import {
  foldOwnLoop,
  INSTRUCTION_ADDED,
  MESSAGE_APPENDED,
  PIN_TYPES,
  type OwnLoopState,
  type RunHeader,
} from '@palimpsest/contracts';
import { settingsHolder, readEvents, type EventLog } from '@palimpsest/kernel';
import { rewindOwnLoop, unspoken } from '../domain/rewind-own-loop.js';

const MESSAGE_TYPES = [INSTRUCTION_ADDED, MESSAGE_APPENDED] as const;

/**
 * The state as of a place: what the events of `run`, whose header this is, below `sequence` add up to. It is folded from
 * the start or rewound from the head, whichever is nearer: a branch near the head of a long run costs what it costs on a
 * short one. An overlay cannot be rewound through, and what is below it is also the source's.
 */
export async function stateAt(eventLog: EventLog, run: RunHeader, sequence: number): Promise<OwnLoopState> {
  const source = await settingsHolder(eventLog, run, sequence);
  // The log wrote this state with `foldOwnLoop`; it is not checked again.
  const { replayTarget: _target, pins, ...now } = source.state as unknown as OwnLoopState;
  const said = await saidBefore(eventLog, source, { now, sequence });
  return {
    ...said,
    ...(await pinsBefore(eventLog, source, { now: { ...now, ...(pins && { pins }) }, sequence })),
  };
}

type Place = { readonly now: OwnLoopState; readonly sequence: number };

function saidBefore(eventLog: EventLog, source: RunHeader, place: Place): Promise<OwnLoopState> {
  const { now, sequence } = place;
  if (now.lastMessageSequence < sequence) return Promise.resolve(now);
  const fromHead = source.head - sequence;
  return fromHead < sequence ? rewound(eventLog, source, place) : folded(eventLog, source, place);
}

/** An event that removes a pin does not know what it was: where one came later, pins are folded from the start. */
async function pinsBefore(
  eventLog: EventLog,
  source: RunHeader,
  { now, sequence }: Place,
): Promise<Pick<OwnLoopState, 'pins'>> {
  const { tenantId, runId } = source;
  const later = await eventLog.readRun({
    tenantId,
    runId,
    fromSequence: sequence,
    limit: 1,
    types: PIN_TYPES,
  });
  if (later.events.length === 0) return now.pins ? { pins: now.pins } : {};
  let state = unspoken(now);
  const range = { tenantId, runId, from: 0, to: sequence - 1, types: PIN_TYPES };
  for await (const event of readEvents(eventLog, range)) state = foldOwnLoop(state, event);
  return state.pins ? { pins: state.pins } : {};
}

async function folded(eventLog: EventLog, source: RunHeader, place: Place): Promise<OwnLoopState> {
  const { tenantId, runId } = source;
  const range = { tenantId, runId, from: 0, to: place.sequence - 1, types: MESSAGE_TYPES };
  let state = unspoken(place.now);
  for await (const event of readEvents(eventLog, range)) state = foldOwnLoop(state, event);
  return state;
}

async function rewound(eventLog: EventLog, source: RunHeader, place: Place): Promise<OwnLoopState> {
  const { tenantId, runId, head } = source;
  const range = { tenantId, runId, from: place.sequence, to: head, types: MESSAGE_TYPES, backwards: true };
  let state = place.now;
  for await (const event of readEvents(eventLog, range)) state = rewindOwnLoop(state, event);
  const before = await eventLog.readRun({
    tenantId,
    runId,
    fromSequence: place.sequence - 1,
    backwards: true,
    limit: 1,
    types: MESSAGE_TYPES,
  });
  return { ...state, lastMessageSequence: before.events[0]?.sequence ?? -1 };
}
