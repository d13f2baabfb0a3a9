import type { SummaryFact } from '@palimpsest/contracts';
import type { SummarizedMessage } from '@palimpsest/kernel';
import { extractFacts } from '../facts/extract-facts.js';
import type { ExtractedFact } from '../facts/fact-collector.js';
import { isKeyedTag, isSentence, joinKindTags, kindTag, readKindTag } from '../facts/fact-kinds.js';
import { sameWords } from '../facts/words.js';

/** Values that name one thing wherever they stand: under another label they are the same fact. */
const SAME_EVERYWHERE: ReadonlySet<string> = new Set([
  'identifier',
  'email',
  'url',
  'path',
  'error',
  'command',
]);
/** Values that mean nothing without their label. */
const LABEL_BOUND: ReadonlySet<string> = new Set(['number', 'amount', 'flag', 'time']);

type Held = { readonly fact: SummaryFact; readonly kind: string; readonly keyed: boolean };

/** All facts that a summary may draw on, each once. */
export class FactPool {
  private readonly facts = new Map<string, SummaryFact>();
  /** Ids of facts by what they say, however it is spelled. */
  private readonly byWords = new Map<string, Set<string>>();

  /** Ids of facts by the last part of their value, by which people call them: `7091` of `box_7091`. */
  private readonly byTail = new Map<string, Set<string>>();

  /** Facts of a summary that this one absorbs. */
  absorb(facts: readonly SummaryFact[]): void {
    for (const fact of facts) this.add(fact);
  }

  /** Newer messages come later. */
  read(message: SummarizedMessage): void {
    const { facts, mentions } = extractFacts(message);
    const source = message.role === 'user' ? 'user' : 'assistant';
    for (const words of mentions) this.mention(words, message.sequence, kindTag('word', source));
    for (const fact of facts) this.add(pooled(fact, message.sequence));
  }

  all(): readonly SummaryFact[] {
    return [...this.facts.values()];
  }

  /** What a person takes up of what a tool returned is what the talk is about. */
  private mention(words: string, sequence: number, tag: string): void {
    for (const id of [...(this.byWords.get(words) ?? []), ...(this.byTail.get(words) ?? [])]) {
      const fact = this.facts.get(id);
      if (!fact || !isKeyed(fact) || LABEL_BOUND.has(readKindTag(fact.kind).kind)) continue;
      this.facts.set(id, { ...fact, sequence, seen: fact.seen + 1, kind: joinKindTags(fact.kind, tag) });
    }
  }

  private add(fact: SummaryFact): void {
    const held = { fact, kind: readKindTag(fact.kind).kind, keyed: isKeyed(fact) };
    if (isSentence(held.kind)) return this.put(fact.value.toLowerCase(), fact);
    if (LABEL_BOUND.has(held.kind)) return this.put(`${lastKey(fact.label)}\0${fact.value}`, fact);
    this.addNamed(held);
  }

  private addNamed({ fact, kind, keyed }: Held): void {
    const words = sameWords(fact.value);
    const known = this.byWords.get(words) ?? new Set();
    const others = [...known].filter((id) => isKeyed(this.facts.get(id)) !== keyed);
    // a mention of it, already counted
    if (!keyed && (others.length > 0 || this.byTail.has(words))) return;
    let whole = fact;
    for (const id of others) {
      whole = joined(this.facts.get(id) ?? fact, whole);
      this.facts.delete(id);
      known.delete(id);
    }
    const id = SAME_EVERYWHERE.has(kind) || !keyed ? `=${words}` : `${lastKey(fact.label)}\0${words}`;
    known.add(id);
    this.byWords.set(words, known);
    if (keyed) this.callByTail(fact.value, id);
    this.put(id, whole);
  }

  private callByTail(value: string, id: string): void {
    const tail = tailOf(value);
    if (tail !== undefined) this.byTail.set(tail, (this.byTail.get(tail) ?? new Set()).add(id));
  }

  private put(id: string, fact: SummaryFact): void {
    const known = this.facts.get(id);
    this.facts.set(id, known ? joined(known, fact) : fact);
  }
}

const LONGEST_NAMED = 64;
const LAST_PART = /[_-](?=[\p{L}\p{N}]*\p{N})([\p{L}\p{N}]{4,})$/u;

/** The last part of an identifier, if it is long enough to name one thing. */
function tailOf(value: string): string | undefined {
  return value.length > LONGEST_NAMED ? undefined : LAST_PART.exec(value)?.[1]?.toLowerCase();
}

/** True where a key says what the value is, not just the words before it. */
function isKeyed(fact: SummaryFact | undefined): boolean {
  return fact !== undefined && isKeyedTag(readKindTag(fact.kind));
}

function lastKey(label: string): string {
  return sameWords(label.slice(label.lastIndexOf('.') + 1));
}

function pooled(fact: ExtractedFact, sequence: number): SummaryFact {
  return {
    label: fact.label,
    value: fact.value,
    sequence,
    seen: 1,
    kind: kindTag(fact.kind, fact.source, fact.keyed),
  };
}

/** The newest occurrence wins; the better label stays; what was seen adds up. */
function joined(known: SummaryFact, fact: SummaryFact): SummaryFact {
  const [newer, older] = fact.sequence >= known.sequence ? [fact, known] : [known, fact];
  return {
    label: labelRank(fact) > labelRank(known) ? fact.label : known.label,
    value: newer.value,
    sequence: newer.sequence,
    seen: Math.min(known.seen + fact.seen, Number.MAX_SAFE_INTEGER),
    kind: joinKindTags(newer.kind, older.kind),
  };
}

/** The key of an argument says best what a value is for, a key of a result next, words before it last. */
function labelRank(fact: SummaryFact): number {
  const tag = readKindTag(fact.kind);
  const terse = fact.label.length < 3 ? -2 : 0;
  if (!isKeyedTag(tag)) return 1 + terse;
  return (tag.letters.includes('c') ? 3 : 2) + terse;
}
