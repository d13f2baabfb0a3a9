import type { SummarizedMessage } from '@palimpsest/kernel';
import { maskSecrets } from '../summaries/redact.js';
import { classifyValue } from './classify-value.js';
import { FactCollector, type ExtractedFact } from './fact-collector.js';
import type { FactSource, ValueKind } from './fact-kinds.js';
import { opensJson, scanJson, type JsonLeaf } from './json-leaves.js';
import { readProse, type ProsePlace } from './prose-facts.js';
import { telling } from './sentences.js';

/** A string leaf up to this length is one value; a longer one is read as text. */
const LONGEST_LEAF = 80;
/** Text of users and assistants beyond this is searched for values, but not for rules. */
const SENTENCE_SCAN = 64 * 1024;
const SENTENCES_PER_MESSAGE = 24;

export type MessageFacts = {
  readonly facts: readonly ExtractedFact[];
  /** Words that a user or an assistant says, one or two in a row, in one spelling. */
  readonly mentions: ReadonlySet<string>;
};

const NO_MENTIONS: ReadonlySet<string> = new Set();

/** All labelled values of one message: its text and the arguments of its calls. Secrets are masked before anything is read. */
export function extractFacts(message: SummarizedMessage): MessageFacts {
  const read =
    message.text === '' ? undefined : readText(message.text, sourceOf(message), message.toolName ?? '');
  const calls = (message.toolCalls ?? []).flatMap((call) => textFacts(call.arguments, 'call', call.name));
  return { facts: [...verbatim(read, message.text), ...calls], mentions: read?.mentions() ?? NO_MENTIONS };
}

function sourceOf(message: SummarizedMessage): FactSource {
  if (message.role === 'tool') return 'result';
  return message.role === 'assistant' ? 'assistant' : 'user';
}

/** All labelled values of a text; `label` says what it is where it says nothing itself. */
export function textFacts(text: string, source: FactSource, label: string): readonly ExtractedFact[] {
  return verbatim(readText(text, source, label), text);
}

/** A value that was trimmed or unescaped on the way stands nowhere: it is left out. */
function verbatim(read: FactCollector | undefined, text: string): readonly ExtractedFact[] {
  return (read?.all() ?? []).filter(({ value }) => text.includes(value));
}

function readText(text: string, source: FactSource, label: string): FactCollector {
  const masked = maskSecrets(text);
  const facts = new FactCollector(source);
  const said = source === 'user' || source === 'assistant';
  readMixed(masked, { label, source, output: source === 'result', said: source !== 'result' }, facts);
  if (said) readSentences(masked, source, facts);
  return facts;
}

function readSentences(text: string, speaker: 'user' | 'assistant', facts: FactCollector): void {
  const passage = text.slice(0, SENTENCE_SCAN);
  const found = telling(passage, speaker);
  for (const { kind, start, end } of found.slice(0, SENTENCES_PER_MESSAGE)) {
    const value = passage.slice(start, end);
    if (!value.includes('\0') && !/\S{80}/.test(value) && value.isWellFormed()) facts.add(kind, kind, value);
  }
}

/** Text and structured data in any order: each stretch is read by its own reader, once. */
function readMixed(text: string, place: Place, facts: FactCollector): void {
  let from = 0;
  for (let at = nextOpening(text, 0); at >= 0;) {
    const reader = leafReader(text, place, facts);
    const end = opensJson(text, at) ? scanJson(text, at, reader) : at + 1;
    // a bracket that led to nothing is part of the text around it
    if (reader.leaves() > 0) {
      readProse(text.slice(from, at), place, facts);
      from = end;
    }
    at = nextOpening(text, end);
  }
  readProse(text.slice(from), place, facts);
}

const OPENING = /[{[]/g;

function nextOpening(text: string, from: number): number {
  OPENING.lastIndex = from;
  return OPENING.exec(text)?.index ?? -1;
}

function leafReader(text: string, place: Place, facts: FactCollector) {
  let leaves = 0;
  return {
    names: namesRecord,
    leaf: (leaf: JsonLeaf): void => {
      leaves += 1;
      readLeaf(text.slice(leaf.start, leaf.end), { leaf, place, facts });
    },
    leaves: (): number => leaves,
  };
}

/** An identifier that tells one record from another; a plain number or date does not. */
function namesRecord(text: string): boolean {
  if (text.length < 3 || text.length > 64 || /\s/.test(text) || !/\d/.test(text)) return false;
  return classifyValue(text) === 'identifier';
}

/** Where structured data stands. */
type Place = ProsePlace & { readonly source: FactSource };

type LeafPlace = { readonly leaf: JsonLeaf; readonly place: Place; readonly facts: FactCollector };

function readLeaf(raw: string, { leaf, place, facts }: LeafPlace): void {
  const value = raw.trim();
  if (value === '' || value.includes('\0')) return;
  const label = leafLabel(leaf, value, place);
  if (leaf.form === 'string' && (value.length > LONGEST_LEAF || /\\[nrt]/.test(value))) {
    readProse(unescapeInPlace(raw), { ...place, label }, facts);
    return;
  }
  // `{"A-17": {"id": "A-17"}}`: said by the key
  if (leaf.form === 'string' && leaf.path.at(-2) === value) return;
  if (value.isWellFormed()) facts.addKeyed(leafKind(value, leaf), label, value);
}

function leafKind(value: string, leaf: JsonLeaf): ValueKind {
  if (leaf.form === 'bare') return /^[-+\d]/.test(value) ? 'number' : 'flag';
  if (/\s/.test(value)) return 'phrase';
  return classifyValue(value) ?? (/^\p{Lu}[\p{Ll}\p{M}'’-]+$/u.test(value) ? 'name' : 'word');
}

/** Keys that say little without the one above them. */
const TERSE_KEY = /^(?:.{1,2}|key|name|value|type|code|text|data|item|ref|url|number)$/i;

/** The last key; two where it alone says little; and the record a bare figure belongs to. */
function leafLabel(leaf: JsonLeaf, value: string, { label, source }: Place): string {
  const [last, parent] = [leaf.path.at(-1), leaf.path.at(-2)];
  if (last === undefined) return label;
  if (source !== 'call' && leaf.form === 'bare' && leaf.subject !== undefined && leaf.subject !== value)
    return `${leaf.subject} ${last}`;
  return TERSE_KEY.test(last) && parent !== undefined && parent !== value ? `${parent}.${last}` : last;
}

/** Escapes of line breaks become line breaks of the same length, so that what is found still stands in the source. */
function unescapeInPlace(raw: string): string {
  return raw.replace(/\\([nrt"\\/])/g, (_, escape: string) =>
    'nr'.includes(escape) ? ' \n' : escape === 't' ? '  ' : ` ${escape}`,
  );
}
