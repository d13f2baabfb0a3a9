import { RUN_OVERLAID, type RunDiff, type RunHeader } from '@palimpsest/contracts';
import type { EventLog } from '@palimpsest/kernel';
import type { PlannedWindow } from './domain/window-pairs.js';
import { lastEvent, lastWindow, windowAfter, windowOfIteration } from './planned-windows.js';

export type FedSaved = Pick<RunDiff, 'fedTokensSaved' | 'comparedIterations'>;

/** A run and its last window. */
export type FedRun = { readonly header: RunHeader; readonly last: PlannedWindow | undefined };

type Side = { readonly header: RunHeader; readonly at: PlannedWindow };

/**
 * What the run fed less than the other over the iterations that both have, as far back as both count in one unit. Windows
 * have sums of those before, so a few are read, however long the runs are.
 */
export async function fedSaved(eventLog: EventLog, run: FedRun, other: FedRun): Promise<FedSaved> {
  const to = Math.min(...[run, other].map(({ last }) => last?.window.iteration ?? 0));
  const [mine, theirs] = await Promise.all([run, other].map((one) => sideAt(eventLog, one, to)));
  if (!mine || !theirs || mine.at.window.tokenCounter !== theirs.at.window.tokenCounter)
    return { fedTokensSaved: null };
  const begins = await Promise.all([mine, theirs].map((side) => unitBegins(eventLog, side)));
  const from = Math.max(...begins);
  const [fed = 0, otherFed = 0] = await Promise.all(
    [mine, theirs].map((side, index) => fedFrom(eventLog, side, { from, begin: begins[index] ?? from })),
  );
  return { fedTokensSaved: otherFed - fed, comparedIterations: { from, to } };
}

async function sideAt(
  eventLog: EventLog,
  { header, last }: FedRun,
  iteration: number,
): Promise<Side | undefined> {
  if (iteration === 0) return undefined;
  const isLast = last?.window.iteration === iteration;
  const at = isLast ? last : await windowOfIteration(eventLog, header, iteration);
  return at && { header, at };
}

/** The iteration from which on the sums of a window count: the first in its unit. Only an overlay changes the unit. */
async function unitBegins(eventLog: EventLog, { header, at }: Side): Promise<number> {
  const { tokenCounter } = at.window;
  let place = at.sequence;
  for (;;) {
    const overlaid = await lastEvent(eventLog, header, { below: place, type: RUN_OVERLAID });
    const before = overlaid && (await lastWindow(eventLog, header, overlaid.sequence));
    if (!before) return 1;
    if (before.window.tokenCounter !== tokenCounter)
      return (await windowAfter(eventLog, header, overlaid.sequence))?.window.iteration ?? 1;
    place = overlaid.sequence;
  }
}

async function fedFrom(
  eventLog: EventLog,
  { header, at }: Side,
  { from, begin }: { readonly from: number; readonly begin: number },
): Promise<number> {
  const before = from > begin ? await windowOfIteration(eventLog, header, from - 1) : undefined;
  return at.window.totals.fedTokens - (before?.window.totals.fedTokens ?? 0);
}
