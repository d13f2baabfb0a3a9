import type { FactSource, ValueKind } from './fact-kinds.js';

/** A labelled value as it stands in a message. `value` is verbatim. */
export type ExtractedFact = {
  readonly label: string;
  readonly value: string;
  readonly kind: ValueKind;
  readonly source: FactSource;
  /** True where a key says what it is, not just the words before it. */
  readonly keyed: boolean;
  /** How often it stands in the message under this label. */
  readonly seen: number;
};

export const LONGEST_LABEL = 48;

/** Most distinct facts of one message. What comes later replaces what is plainest. */
export const FACTS_PER_MESSAGE = 1024;

const MENTIONS = 4096;
const LONGEST_MENTION = 48;

/** What stays when a message has more facts than can be kept: the telling kinds. */
const PLAIN_KINDS: ReadonlySet<ValueKind> = new Set(['number', 'flag', 'word', 'symbol']);

/** Collects the facts of one message, each once, at most {@link FACTS_PER_MESSAGE}. */
export class FactCollector {
  private readonly facts = new Map<string, ExtractedFact>();
  private readonly mentioned = new Set<string>();

  constructor(private readonly source: FactSource) {}

  /** A value that a key names. */
  addKeyed(kind: ValueKind, label: string, value: string): void {
    this.put({ kind, label, value, source: this.source, keyed: true });
  }

  /** A value that words name. What a call says at length is the assistant speaking. */
  add(kind: ValueKind, label: string, value: string): void {
    this.put({
      kind,
      label,
      value,
      source: this.source === 'call' ? 'assistant' : this.source,
      keyed: false,
    });
  }

  private put({ kind, label, value, source, keyed }: Omit<ExtractedFact, 'seen'>): void {
    const clean = tidyLabel(label);
    const key = `${clean}\u0000${value}`;
    const known = this.facts.get(key);
    if (!known && this.facts.size >= FACTS_PER_MESSAGE && !this.makeRoom(kind)) return;
    this.facts.set(key, {
      label: clean,
      value,
      kind: known?.kind ?? kind,
      source: known?.source ?? source,
      keyed: keyed || known?.keyed === true,
      seen: (known?.seen ?? 0) + 1,
    });
  }

  all(): readonly ExtractedFact[] {
    return [...this.facts.values()];
  }

  /** Words that a person says, one or two in a row; they may be values that stand elsewhere. */
  mention(words: string): void {
    if (words.length <= LONGEST_MENTION && this.mentioned.size < MENTIONS) this.mentioned.add(words);
  }

  mentions(): ReadonlySet<string> {
    return this.mentioned;
  }

  /** Drops all facts of plain kinds at once, so that the cost stays linear. */
  private makeRoom(kind: ValueKind): boolean {
    if (PLAIN_KINDS.has(kind)) return false;
    for (const [key, fact] of this.facts) if (PLAIN_KINDS.has(fact.kind)) this.facts.delete(key);
    return this.facts.size < FACTS_PER_MESSAGE;
  }
}

/** One short line without the marks that structure a summary. */
export function tidyLabel(label: string): string {
  const line = label.replace(/[\s:;,\0-\x1f]+/g, ' ').trim();
  if (line.length <= LONGEST_LABEL) return line;
  return line.slice(0, LONGEST_LABEL).toWellFormed().replaceAll('\uFFFD', '').trimEnd();
}
