import type { SummaryFact } from '@palimpsest/contracts';
import { isSentence, readKindTag } from '../facts/fact-kinds.js';
import type { RankedFact } from './rank-facts.js';

export type Selection = {
  readonly max: number;
  readonly count: (text: string) => number;
  /** The whole text that these facts would make, as it is counted. */
  readonly render: (facts: readonly SummaryFact[]) => string;
};

/** Sentences are dear: together they get at most this share. */
const P = (globalThis as any).P ?? {};
const SENTENCE_SHARE = P.sent ?? 0.15;
/** How much a further value under the same label loses against the first. */
const CROWDING = P.lab ?? 0.01;
/** Estimates err on the small side at most by this factor; what is too much is dropped again by exact counts. */
const OVERDRAFT = 1.15;

type Candidate = RankedFact & { readonly cost: number; readonly sentence: boolean; readonly label: string };

/**
 * Facts that fit into `max` together, by worth per token: chosen with estimates, then made to fit by counting the
 * whole text exactly.
 */
export function selectFacts(ranked: readonly RankedFact[], selection: Selection): readonly SummaryFact[] {
  const chosen = estimate(ranked, selection);
  return longestFitting(chosen, selection);
}

function estimate(ranked: readonly RankedFact[], { max, count, render }: Selection): SummaryFact[] {
  const labels = new Map<string, { cost: number; taken: number }>();
  const room = max * OVERDRAFT - count(render([]));
  const candidates = priced(ranked, count);
  const chosen: SummaryFact[] = [];
  let used = 0;
  let sentences = 0;
  for (const { fact, cost, sentence, label } of candidates) {
    const known = labels.get(label);
    const price = cost + (sentence ? 1 : known ? 1 : count(`; ${label}:`));
    if (used + price > room) continue;
    if (sentence && sentences + price > max * SENTENCE_SHARE) continue;
    used += price;
    if (sentence) sentences += price;
    else labels.set(label, { cost, taken: (known?.taken ?? 0) + 1 });
    chosen.push(fact);
  }
  return chosen;
}

function priced(ranked: readonly RankedFact[], count: Selection['count']): Candidate[] {
  const perLabel = new Map<string, number>();
  return ranked
    .map(({ fact, score }) => {
      const sentence = isSentence(readKindTag(fact.kind).kind);
      const before = perLabel.get(fact.label) ?? 0;
      perLabel.set(fact.label, before + 1);
      const cost = count(` ${fact.value}`);
      const worth = score / (1 + (sentence ? 0 : before * CROWDING)) / (cost + (P.c0 ?? 2)) ** (P.pow ?? 0.5);
      return { fact, score: worth, cost, sentence, label: fact.label };
    })
    .sort((a, b) => b.score - a.score);
}

/** The longest beginning of the choice whose text fits. Counts are exact; about a dozen of them. */
function longestFitting(chosen: readonly SummaryFact[], { max, count, render }: Selection): readonly SummaryFact[] {
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
  return chosen.slice(0, fits);
}
