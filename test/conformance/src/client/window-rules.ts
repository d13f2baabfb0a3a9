import { isObject, isText, isWhole } from './expectations.js';
import type { Json } from './host.js';
import type { TranscriptWindow } from './transcript-windows.js';

/** A window of a turn, and what it is held against. */
export type JudgedWindow = {
  readonly window: TranscriptWindow;
  /** 1 for the first turn. */
  readonly iteration: number;
  /** Of the run, in order of their sequences. */
  readonly events: readonly Json[];
  readonly budget: { readonly tokens: number; readonly counter: string };
};

/** What is wrong with a window, in words; nothing where the rule is kept. */
export type WindowRule = (judged: JudgedWindow) => readonly string[];

/** The rules of host specification §9.2 that hold of every window, by their numbers there. */
export const WINDOW_RULES: readonly (readonly [name: string, rule: WindowRule])[] = [
  ['1: is well-formed', wellFormed],
  ['2: is counted in the unit that is advertised', rightCounter],
  ['3: is within the budget', withinBudget],
  ['4: names events of the run, each once, in order', orderedEvents],
  ['5: shows nothing of its own turn or a later one', nothingLater],
  ['6: counts what it renders', countsItsText],
  ['7: renders what it names', rendersItsEvents],
  ['8: shows summaries only that it tells of', toldSummaries],
  ['9: tells of summaries only that were recorded', recordedSummaries],
  ['10: leaves nothing out of its recent end', wholeTail],
];

function wellFormed({ window }: JudgedWindow): readonly string[] {
  const found: unknown = window;
  if (!isObject(found)) return ['it is no object'];
  const { tokenCounter, tokenCount, eventIds, summarizedRanges } = found;
  return [
    ...(isText(tokenCounter) ? [] : ['tokenCounter is no text']),
    ...(isWhole(tokenCount, 0) ? [] : ['tokenCount is no whole number']),
    ...(areTexts(eventIds) ? [] : ['eventIds are no texts']),
    ...(Array.isArray(summarizedRanges) && summarizedRanges.every(isRange)
      ? []
      : ['summarizedRanges are no ranges']),
  ];
}

function isRange(range: unknown): boolean {
  return isObject(range) && isText(range['summaryRef']) && areTexts(range['replacedTurns']);
}

function areTexts(values: unknown): boolean {
  return Array.isArray(values) && values.every(isText);
}

function rightCounter({ window, budget }: JudgedWindow): readonly string[] {
  return window.tokenCounter === budget.counter ? [] : [`it is counted in ${window.tokenCounter}`];
}

function withinBudget({ window, budget }: JudgedWindow): readonly string[] {
  return window.tokenCount <= budget.tokens ? [] : [`${window.tokenCount} are over ${budget.tokens}`];
}

function orderedEvents({ window: { eventIds }, events }: JudgedWindow): readonly string[] {
  const places = eventIds.map((id) => sequenceOf(events, id));
  return [
    ...eventIds.filter((_, at) => places[at] === undefined).map((id) => `${id} is no event of the run`),
    ...eventIds.filter((id, at) => eventIds.indexOf(id) !== at).map((id) => `${id} comes twice`),
    ...eventIds
      .filter((_, at) => at > 0 && (places[at] ?? -1) <= (places[at - 1] ?? -1))
      .map((id) => `${id} comes too late`),
  ];
}

function nothingLater(judged: JudgedWindow): readonly string[] {
  const decided = decisionPlace(judged);
  if (decided === undefined) return ['its turn has no decision'];
  return judged.window.eventIds
    .filter((id) => (sequenceOf(judged.events, id) ?? Infinity) >= decided)
    .map((id) => `${id} does not come before the decision`);
}

function countsItsText({ window: { entries, tokenCount }, budget }: JudgedWindow): readonly string[] {
  if (budget.counter !== 'chars') return [];
  if (!Array.isArray(entries)) return ['it has no entries'];
  const counted = (entries as NonNullable<TranscriptWindow['entries']>).reduce(
    (sum, { rendered }) => sum + [...rendered].length,
    0,
  );
  return counted === tokenCount ? [] : [`its entries count ${counted}, it says ${tokenCount}`];
}

function rendersItsEvents({ window: { entries = [], eventIds }, events }: JudgedWindow): readonly string[] {
  const unknown = entries.filter(({ eventId }) => sequenceOf(events, eventId) === undefined);
  const shown = entries.filter(({ eventId }) => typeOf(events, eventId) !== 'context.summarized');
  const same = JSON.stringify(shown.map(({ eventId }) => eventId)) === JSON.stringify(eventIds);
  return [
    ...unknown.map(({ eventId }) => `entry ${eventId} is no event of the run`),
    ...(same ? [] : ['its entries are others than its events']),
  ];
}

function toldSummaries({
  window: { entries = [], summarizedRanges },
  events,
}: JudgedWindow): readonly string[] {
  const told = new Set(summarizedRanges.map(({ summaryRef }) => summaryRef));
  return entries
    .map(({ eventId }) => eventOf(events, eventId))
    .filter((event) => event !== undefined)
    .filter(({ type, payload }) => type === 'context.summarized' && !told.has(String(payload.summaryRef)))
    .map(({ eventId }) => `no range tells of the summary ${eventId}`);
}

function recordedSummaries({ window, events }: JudgedWindow): readonly string[] {
  const recorded = new Map(
    events
      .filter(({ type }) => type === 'context.summarized')
      .map(({ payload }) => [String(payload.summaryRef), JSON.stringify(payload.replacedTurns)]),
  );
  return window.summarizedRanges
    .filter(({ summaryRef, replacedTurns }) => recorded.get(summaryRef) !== JSON.stringify(replacedTurns))
    .map(({ summaryRef }) => `the summary ${summaryRef} is not on the log as it is told`);
}

/** By type and node: what is newer than the oldest that is fed is fed too, or a summary stands for it. */
function wholeTail(judged: JudgedWindow): readonly string[] {
  const { window, events } = judged;
  const fed = events.filter(({ eventId }) => window.eventIds.includes(String(eventId)));
  const decided = decisionPlace(judged) ?? 0;
  const covered = coveredBy(window, events);
  return [...new Set(fed.map(familyOf))].flatMap((family) => {
    const ofFamily = events.filter((event) => familyOf(event) === family);
    const oldest = Math.min(...fed.filter((event) => familyOf(event) === family).map(placeOf));
    return ofFamily
      .filter((event) => placeOf(event) > oldest && placeOf(event) < decided)
      .map(({ eventId }) => String(eventId))
      .filter((id) => !window.eventIds.includes(id) && !covered.has(id))
      .map((id) => `${id} is left out`);
  });
}

/** What the window's summaries stand for, through those that they absorbed. */
export function coveredBy(window: TranscriptWindow, events: readonly Json[]): ReadonlySet<string> {
  const covered = new Set<string>();
  const rest = window.summarizedRanges.flatMap(({ replacedTurns }) => replacedTurns);
  for (let id = rest.pop(); id !== undefined; id = rest.pop()) {
    covered.add(id);
    const event = events.find(({ eventId }) => eventId === id);
    if (event?.type === 'context.summarized')
      rest.push(...(event.payload.replacedTurns as readonly string[]));
  }
  return covered;
}

/**
 * Rule 11, of the last window: the most recent events of the kinds that are fed stand there, as they are. A text that was
 * cut shows it by a mark of its own, which nobody else knows; here it counts that they are there.
 */
export function missingOfTail(judged: JudgedWindow, keepLastTurns: number): readonly string[] {
  const { window, events } = judged;
  const families = new Set(
    events.filter(({ eventId }) => window.eventIds.includes(String(eventId))).map(familyOf),
  );
  const eligible = events.filter(
    (event) => families.has(familyOf(event)) && placeOf(event) < (decisionPlace(judged) ?? 0),
  );
  const tail = keepLastTurns === 0 ? [] : eligible.slice(-keepLastTurns);
  return tail.map(({ eventId }) => String(eventId)).filter((id) => !window.eventIds.includes(id));
}

/** The budget bites: summaries stand for something, or something older than the oldest that is fed is fed no more. */
export function isUnderPressure({ window, events }: JudgedWindow): boolean {
  if (window.summarizedRanges.length > 0) return true;
  const fed = events.filter(({ eventId }) => window.eventIds.includes(String(eventId)));
  const families = new Set(fed.map(familyOf));
  const oldest = Math.min(...fed.map(placeOf));
  return events.some((event) => families.has(familyOf(event)) && placeOf(event) < oldest);
}

export function decisionPlace({ events, iteration }: JudgedWindow): number | undefined {
  const decided = events.find(
    ({ type, payload }) => type === 'runOrchestrator.decided' && payload.iteration === iteration,
  );
  return decided === undefined ? undefined : placeOf(decided);
}

function familyOf({ type, nodeId }: Json): string {
  return JSON.stringify([type, nodeId]);
}

function placeOf({ sequence }: Json): number {
  return Number(sequence);
}

function sequenceOf(events: readonly Json[], eventId: string): number | undefined {
  return eventOf(events, eventId)?.sequence;
}

function typeOf(events: readonly Json[], eventId: string): string | undefined {
  return eventOf(events, eventId)?.type;
}

type LogEvent = {
  readonly eventId: string;
  readonly sequence: number;
  readonly type: string;
  readonly payload: Json;
};

function eventOf(events: readonly Json[], id: string): LogEvent | undefined {
  return events.find(({ eventId }) => eventId === id) as LogEvent | undefined;
}
