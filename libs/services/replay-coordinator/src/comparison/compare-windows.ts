import type { WindowPair } from '@palimpsest/contracts';
import type { EventLog } from '@palimpsest/kernel';
import { fedTexts } from './domain/fed-texts.js';
import {
  countAlike,
  isInBoth,
  windowPair,
  type BothPlanned,
  type PlannedPair,
} from './domain/window-pairs.js';
import type { ComparedPair } from './first-divergence.js';
import { recordedTexts } from './recorded-texts.js';

/**
 * Whether the windows of each iteration fed the same. Those recorded below `equalBelow` did, as everything that they were
 * planned from is equal; of the others the artifacts that they fed are compared.
 */
export async function compareWindows(
  eventLog: EventLog,
  { run, other }: ComparedPair,
  { pairs, equalBelow }: { readonly pairs: readonly PlannedPair[]; readonly equalBelow: number },
): Promise<readonly WindowPair[]> {
  const open = pairs.filter(isInBoth).filter((pair) => lastOf(pair) >= equalBelow && countAlike(pair));
  const same = new Set<number>();
  if (open.length > 0) {
    const [own, others] = await Promise.all([
      recordedTexts(eventLog, run.header, { windows: open.map((pair) => pair.run), equalBelow }),
      recordedTexts(eventLog, other.header, { windows: open.map((pair) => pair.other), equalBelow }),
    ]);
    for (const pair of open) {
      const texts = [fedTexts(pair.run.window, own), fedTexts(pair.other.window, others)] as const;
      if (equalLists(...texts)) same.add(pair.iteration);
    }
  }
  return pairs.map((pair) => windowPair(pair, isBelow(pair, equalBelow) || same.has(pair.iteration)));
}

function isBelow(pair: PlannedPair, equalBelow: number): boolean {
  return isInBoth(pair) && lastOf(pair) < equalBelow;
}

function lastOf({ run, other }: BothPlanned): number {
  return Math.max(run.sequence, other.sequence);
}

function equalLists(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, place) => text === other[place]);
}
