import {
  WINDOW_PLANNED,
  type RecordedEvent,
  type RunHeader,
  type WindowPlanned,
} from '@palimpsest/contracts';
import { readEvents, type EventLog } from '@palimpsest/kernel';
import { newestOfIterations } from '@palimpsest/transcript';
import type { PlannedPair, PlannedWindow } from './domain/window-pairs.js';

const TYPES = [WINDOW_PLANNED];

export type PairRequest = {
  readonly run: RunHeader;
  readonly other: RunHeader;
  readonly fromIteration: number;
  readonly limit: number;
};

export type PairPage = { readonly pairs: readonly PlannedPair[]; readonly nextIteration?: number };

/** The windows that two runs fed, iteration by iteration, as far as either has any. */
export async function pairedWindows(eventLog: EventLog, request: PairRequest): Promise<PairPage> {
  const { run, other, fromIteration, limit } = request;
  const own = newestOfIterations(windowsFrom(eventLog, run, fromIteration));
  const others = newestOfIterations(windowsFrom(eventLog, other, fromIteration));
  let [one, two] = [await nextOf(own), await nextOf(others)];
  const pairs: PlannedPair[] = [];
  while (one || two) {
    const iteration = Math.min(iterationOf(one), iterationOf(two));
    if (pairs.length === limit) return { pairs, nextIteration: iteration };
    const [mine, theirs] = [one, two].map((at) => (iterationOf(at) === iteration ? at : undefined));
    pairs.push({ iteration, ...(mine && { run: mine }), ...(theirs && { other: theirs }) });
    if (mine) one = await nextOf(own);
    if (theirs) two = await nextOf(others);
  }
  return { pairs };
}

/** The last window of a run, or the last below a place. */
export async function lastWindow(
  eventLog: EventLog,
  run: RunHeader,
  below = run.head + 1,
): Promise<PlannedWindow | undefined> {
  const event = await lastEvent(eventLog, run, { below, type: WINDOW_PLANNED });
  return event && planned(event);
}

/** The last event of a type below a place. */
export async function lastEvent(
  eventLog: EventLog,
  run: RunHeader,
  { below, type }: { readonly below: number; readonly type: string },
): Promise<RecordedEvent | undefined> {
  if (below <= 0) return undefined;
  const range = { ...keyOf(run), fromSequence: below - 1, backwards: true, limit: 1, types: [type] };
  return (await eventLog.readRun(range)).events[0];
}

/** The window that an iteration fed: the newest, where it was planned again. */
export async function windowOfIteration(
  eventLog: EventLog,
  run: RunHeader,
  iteration: number,
): Promise<PlannedWindow | undefined> {
  const found = await lastWindow(eventLog, run, await placeOfIteration(eventLog, run, iteration + 1));
  return iterationOf(found) === iteration ? found : undefined;
}

/** The first window at or after a place, as of the header. */
export async function windowAfter(
  eventLog: EventLog,
  run: RunHeader,
  fromSequence: number,
): Promise<PlannedWindow | undefined> {
  const page = await eventLog.readRun({ ...keyOf(run), fromSequence, limit: 1, types: TYPES });
  const [event] = page.events;
  return event && event.sequence <= run.head ? planned(event) : undefined;
}

async function* windowsFrom(
  eventLog: EventLog,
  run: RunHeader,
  iteration: number,
): AsyncGenerator<PlannedWindow, void> {
  const from = await placeOfIteration(eventLog, run, iteration);
  const range = { ...keyOf(run), from, to: run.head, types: TYPES };
  for await (const event of readEvents(eventLog, range)) yield planned(event);
}

/** A place behind which the first window is that of the iteration, or of a later one. Iterations never fall, so it is halved. */
async function placeOfIteration(eventLog: EventLog, run: RunHeader, iteration: number): Promise<number> {
  if (iteration <= 1) return 0;
  let [from, to] = [0, run.head + 1];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const found = await windowAfter(eventLog, run, middle);
    if (iterationOf(found) >= iteration) to = middle;
    else from = (found?.sequence ?? middle) + 1;
  }
  return from;
}

function keyOf({ tenantId, runId }: RunHeader) {
  return { tenantId, runId };
}

function iterationOf(planned: PlannedWindow | undefined): number {
  return planned?.window.iteration ?? Infinity;
}

async function nextOf(windows: AsyncGenerator<PlannedWindow, void>): Promise<PlannedWindow | undefined> {
  return (await windows.next()).value ?? undefined;
}

/** The log holds what its own schemas accepted; payloads are read back without checking them again. */
function planned(event: RecordedEvent): PlannedWindow {
  return { sequence: event.sequence, window: event.payload as unknown as WindowPlanned };
}
