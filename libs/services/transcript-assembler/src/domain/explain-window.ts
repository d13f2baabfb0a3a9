import {
  eventIdOf,
  placeOfEventId,
  type Fate,
  type FateRange,
  type WindowPlanned,
} from '@palimpsest/contracts';
import { isWithin } from './carried-over.js';

export type SummaryLink = { readonly sequence: number; readonly replacedTurns: readonly string[] };

type Explained = { readonly fate: Fate; readonly reason: string; readonly summarySequence?: number };

const REASONS = {
  fed: 'inside the window',
  cut: 'inside the window, cut to its allowance',
  waiting: 'kept apart: it waits for a tool result',
  elided: 'its turn is fed without it for want of room',
  pending: 'left out for now: it waits for a tool result',
  summarized: 'replaced by a recorded summary',
  evicted: 'older than the window, and no summary in force stands for it',
} as const;

/**
 * Which events a summary in force stands for, by place; through the summaries it absorbed. The value is the
 * place of the summary in force.
 */
export function coveredPlaces(inForce: readonly number[], all: readonly SummaryLink[]): Map<number, number> {
  const byPlace = new Map(all.map((link) => [link.sequence, link]));
  const covered = new Map<number, number>();
  for (const top of inForce) {
    const open = [top];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      for (const id of byPlace.get(place)?.replacedTurns ?? []) {
        const replaced = placeOfEventId(id)?.sequence;
        if (replaced === undefined) continue;
        if (byPlace.has(replaced)) open.push(replaced);
        else covered.set(replaced, top);
      }
    }
  }
  return covered;
}

/** Gives every transcript event as of a window exactly one fate. */
export class WindowExplainer {
  private readonly islands: ReadonlySet<number>;
  private readonly pending: ReadonlySet<number>;
  private readonly cuts: ReadonlySet<number>;

  constructor(
    private readonly window: WindowPlanned,
    private readonly covered: ReadonlyMap<number, number>,
  ) {
    this.islands = new Set(window.islands.flat());
    this.pending = new Set(window.pending.flat());
    this.cuts = new Set(window.cuts.map(({ sequence }) => sequence));
  }

  fateOf(sequence: number): Explained {
    if (this.pending.has(sequence)) return { fate: 'pending', reason: REASONS.pending };
    if (isWithin(this.window.elided, sequence)) return { fate: 'elided', reason: REASONS.elided };
    if (this.islands.has(sequence)) return { fate: 'fed', reason: REASONS.waiting };
    if (sequence >= this.window.tailFromSequence) {
      return { fate: 'fed', reason: this.cuts.has(sequence) ? REASONS.cut : REASONS.fed };
    }
    const summarySequence = this.covered.get(sequence);
    if (summarySequence === undefined) return { fate: 'evicted', reason: REASONS.evicted };
    return { fate: 'summarized', reason: REASONS.summarized, summarySequence };
  }
}

/** Joins neighbours of equal fate, as a long run has few different stretches. */
export class FateRanges {
  readonly #ranges: FateRange[] = [];

  constructor(private readonly runId: string) {}

  add(sequence: number, { fate, reason, summarySequence }: Explained): void {
    const last = this.#ranges.at(-1);
    const summaryEventId = summarySequence === undefined ? undefined : eventIdOf(this.runId, summarySequence);
    if (last && last.fate === fate && last.reason === reason && last.summaryEventId === summaryEventId) {
      this.#ranges[this.#ranges.length - 1] = { ...last, toSequence: sequence, events: last.events + 1 };
      return;
    }
    this.#ranges.push({
      fate,
      reason,
      fromSequence: sequence,
      toSequence: sequence,
      events: 1,
      ...(summaryEventId && { summaryEventId }),
    });
  }

  get ranges(): FateRange[] {
    return this.#ranges;
  }
}
