import type { SummaryFact } from '@palimpsest/contracts';
import { isSentence, readKindTag } from '../facts/fact-kinds.js';
import { recordLabel } from './record-label.js';
import type { RankedFact } from './rank-facts.js';

export type Selection = {
  readonly max: number;
  readonly count: (text: string) => number;
  /** The whole text that these facts would make, as it is counted. */
  readonly render: (facts: readonly SummaryFact[]) => string;
};

/** Sentences are dear: together they get at most this share. */
const SENTENCE_SHARE = 0.1;
/** How much a further value under the same label loses against the first. */
const CROWDING = 0.01;
/** How much of its price a value must be worth: below 1, as what is long is often what cannot be guessed. */
const PRICE_WEIGHT = 0.6;
/** Facts after the first that did not fit; some may be small enough for what is left. */
const SECOND_LOOKS = 12;
/** Estimates err on the small side at most by this factor; what is too much is dropped again by exact counts. */
const OVERDRAFT = 1.15;

type Candidate = { readonly fact: SummaryFact; readonly worth: number; readonly cost: number };

/**
 * Facts that fit into `max` together, by worth per token: chosen with estimates, then made to fit by counting the
 * whole text exactly. Sentences come first, within their share.
 */
export function selectFacts(ranked: readonly RankedFact[], selection: Selection): readonly SummaryFact[] {
  const spoken = ranked.filter(({ fact }) => isSentence(readKindTag(fact.kind).kind));
  const values = ranked.filter(({ fact }) => !isSentence(readKindTag(fact.kind).kind));
  const sentences = affordable(spoken, selection);
  return longestFitting([...sentences, ...estimated(values, selection)], selection);
}

/** The most important sentences within their share, and at least the first one that fits at all. */
function affordable(ranked: readonly RankedFact[], { max, count }: Selection): SummaryFact[] {
  const chosen: SummaryFact[] = [];
  let left = max * SENTENCE_SHARE;
  for (const { fact } of ranked) {
    const cost = count(` | ${fact.value}`);
    if (cost > (chosen.length === 0 ? max * 0.3 : left)) continue;
    left -= cost;
    chosen.push(fact);
  }
  return chosen;
}

function estimated(ranked: readonly RankedFact[], { max, count, render }: Selection): SummaryFact[] {
  const labels = new Set<string>();
  /** Values, and records that figures stand under: another figure of theirs needs its key only. */
  const named = new Set<string>();
  const chosen: SummaryFact[] = [];
  let left = max * OVERDRAFT - count(render([]));
  for (const { fact, cost } of priced(ranked, count)) {
    const figure = recordLabel(fact.label);
    const label = figure && named.has(figure.record) ? ` ${figure.key}:` : `; ${fact.label}:`;
    const price = cost + (labels.has(fact.label) ? 0 : count(label));
    if (price > left) continue;
    left -= price;
    labels.add(fact.label);
    named.add(figure?.record ?? fact.value);
    chosen.push(fact);
  }
  return chosen;
}

/** By worth per token: what stands already, under the same label or another, makes the next one worth less. */
function priced(ranked: readonly RankedFact[], count: Selection['count']): Candidate[] {
  const perLabel = new Map<string, number>();
  const perValue = new Map<string, number>();
  return ranked
    .map(({ fact, score }) => {
      const cost = count(` ${fact.value}`);
      const repeats = counted(perValue, fact.value);
      const worth =
        score / (1 + counted(perLabel, fact.label) * CROWDING + repeats * 0.5) / (cost + 2) ** PRICE_WEIGHT;
      return { fact, worth, cost };
    })
    .sort((a, b) => b.worth - a.worth);
}

/** How often a key was counted before. */
function counted(counts: Map<string, number>, key: string): number {
  const before = counts.get(key) ?? 0;
  counts.set(key, before + 1);
  return before;
}

/** The longest beginning of the choice whose text fits, and what fits of the next ones. Counts are exact; about two dozen. */
function longestFitting(chosen: readonly SummaryFact[], selection: Selection): readonly SummaryFact[] {
  const { max, count, render } = selection;
  let fits = 0;
  let low = 1;
  let high = chosen.length;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (count(render(chosen.slice(0, middle))) <= max) {
      fits = middle;
      low = middle + 1;
    } else high = middle - 1;
  }
  return chosen
    .slice(fits + 1, fits + 1 + SECOND_LOOKS)
    .reduce<readonly SummaryFact[]>(
      (kept, fact) => (count(render([...kept, fact])) <= max ? [...kept, fact] : kept),
      chosen.slice(0, fits),
    );
}
