import type { TokenCounterName, WindowPlanned } from '@palimpsest/contracts';
import { ELIDED, type Rendering } from './rendering-plan.js';
import type { TranscriptRow } from './turn.js';

/** Where the events of a window's turns stand: everything from `tailFrom`, and these apart. */
export type LivePlaces = { readonly tailFrom: number; readonly apart: readonly number[] };

export function livePlaces(window: WindowPlanned | undefined): LivePlaces {
  if (!window) return { tailFrom: 0, apart: [] };
  const apart = [...window.islands, ...window.pending]
    .flat()
    .filter((place) => place < window.tailFromSequence);
  return { tailFrom: window.tailFromSequence, apart: apart.sort((a, b) => a - b) };
}

/** What a plan takes over from the last window, beside its turns and its summaries. */
export type CarriedOver = {
  readonly known: ReadonlyMap<number, Rendering>;
  readonly pending: ReadonlySet<number>;
};

/**
 * Under other settings nothing of how the last window rendered its turns holds: they are sized anew, in their order, as
 * those of a first window are, and turns that were left out for want of room are looked at again.
 */
export function carriedOver(
  window: WindowPlanned | undefined,
  rows: readonly TranscriptRow[],
  { isOverlaid }: { readonly isOverlaid: boolean },
): CarriedOver {
  if (!window || isOverlaid) return { known: new Map(), pending: new Set() };
  return { known: carriedRenderings(window, rows), pending: stillPending(window, rows) };
}

/**
 * What windows have fed so far in a unit, up to the one of an iteration: sums of two units would say nothing, and a window
 * of the same iteration was not fed, as this one takes its place. Its summaries were made all the same.
 */
export function totalsBefore(
  { counter, iteration }: { readonly counter: TokenCounterName; readonly iteration: number },
  window: WindowPlanned | undefined,
): WindowPlanned['totals'] {
  const summaries = window?.totals.summaries ?? 0;
  if (!window || window.tokenCounter !== counter) return { fedTokens: 0, unboundedTokens: 0, summaries };
  if (window.iteration !== iteration) return window.totals;
  return {
    fedTokens: window.totals.fedTokens - window.tokenCount,
    unboundedTokens: window.totals.unboundedTokens - window.unboundedTokenCount,
    summaries,
  };
}

/** How the last window rendered the rows that are still live; rows that it did not feed are absent. */
export function carriedRenderings(
  window: WindowPlanned,
  rows: readonly TranscriptRow[],
): Map<number, Rendering> {
  const cuts = new Map(
    window.cuts.map(({ sequence, artifactId, tokens }) => [sequence, { artifactId, tokens }]),
  );
  const leftOut = new Set(window.pending.flat());
  const carried = new Map<number, Rendering>();
  for (const { sequence, tokens } of rows) {
    if (sequence > window.asOfSequence || leftOut.has(sequence)) continue;
    const cut = cuts.get(sequence);
    if (cut) carried.set(sequence, { form: 'cut', ...cut });
    else if (isWithin(window.elided, sequence)) carried.set(sequence, ELIDED);
    else carried.set(sequence, { form: 'full', tokens });
  }
  return carried;
}

/** Pending turns that nothing happened to since: they stay out. */
export function stillPending(window: WindowPlanned, rows: readonly TranscriptRow[]): Set<number> {
  const touched = new Set(
    rows.filter(({ sequence }) => sequence > window.asOfSequence).map(({ callSequence }) => callSequence),
  );
  const firsts = window.pending.map((places) => Math.min(...places));
  return new Set(firsts.filter((first) => !touched.has(first)));
}

export function isWithin(ranges: readonly (readonly [number, number])[], sequence: number): boolean {
  return ranges.some(([first, last]) => first <= sequence && sequence <= last);
}
