/** What a value is. The order is of no meaning; the weights are in `summaries/rank-facts.ts`. */
export type ValueKind =
  | 'identifier'
  | 'code'
  | 'date'
  | 'time'
  | 'amount'
  | 'number'
  | 'email'
  | 'url'
  | 'path'
  | 'symbol'
  | 'name'
  | 'word'
  | 'flag'
  | 'phrase'
  | 'command'
  | 'error'
  | 'rule'
  | 'decision';

/** Who said it: the user, the assistant, a tool call's arguments, a tool's result. */
export type FactSource = 'user' | 'assistant' | 'call' | 'result';

const SOURCE_LETTERS: Readonly<Record<FactSource, string>> = {
  user: 'u',
  assistant: 'a',
  call: 'c',
  result: 'r',
};

/** Stands in a tag where the label is a key, not just the words before the value. */
const KEYED = 'k';

/** `identifier/cku`: an identifier that has a key, a tool call used and the user named. The form in which a pool keeps it. */
export function kindTag(kind: ValueKind, source: FactSource, keyed = false): string {
  return `${kind}/${SOURCE_LETTERS[source]}${keyed ? KEYED : ''}`;
}

export function isKeyedTag({ letters }: ReadKind): boolean {
  return letters.includes(KEYED);
}

export type ReadKind = { readonly kind: string; readonly letters: string };

/** The parts of a tag; one that an older version wrote has no letters. */
export function readKindTag(tag: string): ReadKind {
  const slash = tag.indexOf('/');
  return slash < 0
    ? { kind: tag, letters: '' }
    : { kind: tag.slice(0, slash), letters: tag.slice(slash + 1) };
}

/** Both tags' sources, and the first one's kind. */
export function joinKindTags(first: string, second: string): string {
  const own = readKindTag(first);
  const letters = [...new Set(own.letters + readKindTag(second).letters)].sort().join('');
  return `${own.kind}/${letters}`;
}

export function isSentence(kind: string): boolean {
  return kind === 'rule' || kind === 'decision';
}
