import type { SummaryFact } from '@palimpsest/contracts';
import { isKeyedTag, isSentence, readKindTag, type ReadKind } from '../facts/fact-kinds.js';
import { lastKey } from './record-label.js';

/** A pool larger than this loses its lowest facts: it grows no more, whatever it has absorbed. */
export const POOL_FACTS = 512;
export const POOL_BYTES = 32 * 1024;

/** How much a reader loses with a value of a kind: what cannot be guessed or looked up weighs most. */
const KIND_WEIGHT: Readonly<Record<string, number>> = {
  rule: 9,
  decision: 4,
  identifier: 7,
  email: 5,
  date: 5,
  time: 1,
  path: 5,
  url: 4,
  error: 3.5,
  amount: 4,
  name: 1.8,
  code: 3,
  command: 2.5,
  phrase: 1,
  word: 2,
  symbol: 2,
  number: 1.6,
  flag: 0.8,
};

/** What was used in a call or said by a person matters again more often than what a tool merely returned. */
const CALL_FACTOR = 2.5;
const USER_FACTOR = 1.8;
const ASSISTANT_FACTOR = 1.5;
/** A label made of the words before a value is a guess. */
const UNKEYED_FACTOR = 0.25;
/** As above, where it is the user who says so. */
const UNKEYED_USER_FACTOR = 0.4;
/** A key that a call has used as the name of an argument is likely to be asked for again. */
const ARGUMENT_FACTOR = 2;
const RECENCY_SPAN = 24;
/** Rules do not age; all else keeps this much for ever. */
const OLD_SHARE = 0.65;

const CROWDING = 0.02;

export type RankedFact = { readonly fact: SummaryFact; readonly score: number };

/** The facts, most worth keeping first. A total order: the same facts give the same list. */
export function rankFacts(facts: readonly SummaryFact[]): readonly RankedFact[] {
  const crowds = crowdSizes(facts);
  const asked = argumentKeys(facts);
  const newest = facts.reduce((latest, fact) => Math.max(latest, fact.sequence), 0);
  const scoreOf = (fact: SummaryFact): number => {
    const factor = asked.has(lastKey(fact.label)) ? ARGUMENT_FACTOR : 1;
    return (score(fact, newest) * factor) / (1 + CROWDING * (crowds.get(crowdOf(fact)) ?? 0));
  };
  return facts.map((fact) => ({ fact, score: scoreOf(fact) })).sort(byScore);
}

/** Keys under which calls have passed a value. */
function argumentKeys(facts: readonly SummaryFact[]): ReadonlySet<string> {
  const passed = facts.filter(({ kind }) => {
    const tag = readKindTag(kind);
    return isKeyedTag(tag) && tag.letters.includes('c');
  });
  return new Set(passed.map(({ label }) => lastKey(label)));
}

/** Values that one message gives under one label: a list to choose from. The longer it is, the less each of them matters. */
function crowdOf(fact: SummaryFact): string {
  return `${fact.sequence} ${fact.label}`;
}

function crowdSizes(facts: readonly SummaryFact[]): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const fact of facts) sizes.set(crowdOf(fact), (sizes.get(crowdOf(fact)) ?? -1) + 1);
  return sizes;
}

function byScore(a: RankedFact, b: RankedFact): number {
  return (
    b.score - a.score ||
    b.fact.sequence - a.fact.sequence ||
    compare(a.fact.label, b.fact.label) ||
    compare(a.fact.value, b.fact.value)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function score(fact: SummaryFact, newest: number): number {
  const tag = readKindTag(fact.kind);
  const { kind } = tag;
  if (isSentence(kind))
    return (KIND_WEIGHT[kind] ?? 1) * (kind === 'rule' ? 1 : aging(newest - fact.sequence));
  const weight = (KIND_WEIGHT[kind] ?? 1) * evidence(tag) * repetition(tag, fact.seen);
  return weight * aging(newest - fact.sequence);
}

function aging(age: number): number {
  return OLD_SHARE + (1 - OLD_SHARE) / (1 + age / RECENCY_SPAN);
}

/** What people and calls come back to. How often tools repeat a value says nothing. */
function repetition({ letters }: ReadKind, seen: number): number {
  return /[uac]/.test(letters) ? 1 + 0.25 * Math.log2(Math.min(seen, 16)) : 1;
}

/** What has a key, and was taken up by a person or used in a call. */
function evidence(tag: ReadKind): number {
  const has = (letter: string): boolean => tag.letters.includes(letter);
  const used = has('c') ? CALL_FACTOR : 1;
  const said = (has('u') ? USER_FACTOR : 1) * (has('a') ? ASSISTANT_FACTOR : 1);
  const guess = has('u') ? UNKEYED_USER_FACTOR : UNKEYED_FACTOR;
  return used * said * (isKeyedTag(tag) ? 1 : guess);
}

/** The best of a ranking within the bounds of a pool. */
export function boundedPool(ranked: readonly RankedFact[]): readonly SummaryFact[] {
  const kept: SummaryFact[] = [];
  let bytes = 0;
  for (const { fact } of ranked) {
    if (kept.length >= POOL_FACTS) break;
    const size = 3 * (fact.label.length + fact.value.length);
    if (bytes + size > POOL_BYTES * 3) continue;
    bytes += size;
    kept.push(fact);
  }
  return kept;
}
