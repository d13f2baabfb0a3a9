import {
  isTerminalEventType,
  type JsonObject,
  type NewRunEvent,
  type RecordedEvent,
} from '@palimpsest/contracts';
import { reEmittedEvent } from './re-emitted-event.js';
import { divergedEvents, type Divergence } from './refusal-divergence.js';
import { standingAfter, type RunKind, type Standing } from './run-kind.js';

/** Events as a fork records them in one append, and its header after them. */
export type ReplayPage = {
  readonly events: readonly NewRunEvent[];
  readonly header: Standing;
  /** Nothing of it is the fork's own: the log may copy it. */
  readonly isCopy: boolean;
};

/** Where it is recorded: the fork as it is before, and the time (ISO 8601). */
export type PageAt = {
  readonly forkRunId: string;
  readonly kind: RunKind;
  readonly state: JsonObject;
  readonly timestamp: string;
};

/** The source's events as they are. */
export function repeatedPage(repeated: readonly RecordedEvent[], at: PageAt): ReplayPage {
  const events = repeated.map((event) => reEmittedEvent(event, at.forkRunId));
  return { events, header: standingAfter(at.kind, at.state, { ...at, events: repeated }), isCopy: true };
}

/** Up to a refusal that the replay met and its source did not: it has repeated all it was to repeat, and ends. */
export function refusedPage(read: readonly RecordedEvent[], divergence: Divergence, at: PageAt): ReplayPage {
  const repeated = read.slice(0, read.indexOf(divergence.event));
  const { sequence } = divergence.event;
  const own = divergedEvents(divergence);
  const state = { ...at.state, replayTarget: sequence - 1 };
  const events = [...repeated, ...placed(own, sequence)];
  return {
    events: [...repeated.map((event) => reEmittedEvent(event, at.forkRunId)), ...own],
    header: standingAfter(at.kind, state, { ...at, events }),
    isCopy: false,
  };
}

/**
 * The last event to repeat, with what the replay found when it executed nodes again: that stands before the event that ends
 * the run, else behind it, so that all that was repeated has its source's place. One page, so that nothing stands half.
 */
export function closingPage(
  last: RecordedEvent,
  found: readonly NewRunEvent[],
  { forkRunId, kind, ...at }: PageAt,
): ReplayPage {
  const isEnd = isTerminalEventType(last.type);
  const repeated = reEmittedEvent(last, forkRunId);
  const events = isEnd ? [...found, repeated] : [repeated, ...found];
  const state = { ...at.state, replayTarget: isEnd ? last.sequence - 1 : last.sequence };
  const header = standingAfter(kind, state, { ...at, events: placed(events, last.sequence) });
  return { events, header, isCopy: false };
}

function placed(
  events: readonly NewRunEvent[],
  first: number,
): readonly (NewRunEvent & { sequence: number })[] {
  return events.map((event, place) => ({ ...event, sequence: first + place }));
}
