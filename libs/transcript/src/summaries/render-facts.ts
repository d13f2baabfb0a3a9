import type { SummaryFact } from '@palimpsest/contracts';
import { isSentence, readKindTag } from '../facts/fact-kinds.js';
import { escapeSummaryDelimiters } from '../rendering/summary.js';
import { recordLabel } from './record-label.js';
import { redactSecrets } from './redact.js';

/** One line: what content says stays inside it and cannot look like another entry. */
function oneLine(text: string): string {
  return text.replace(/[\s\0\x01-\x1f\x7f\u0085\u2028\u2029]+/g, ' ').trim();
}

/** A value whose own marks could be taken for those of the summary is quoted. */
function shown(value: string): string {
  const line = oneLine(value);
  return /;|, | \([^)]*:/.test(line) ? `"${line.replaceAll('"', "'")}"` : line;
}

/** Values of one word need no comma, which would cost as much as a short value. */
function listed(items: readonly string[], values = items): string {
  return items.join(values.some((value) => value.includes(' ')) ? ', ' : ' ');
}

/** A figure stands close to its colon, as a blank would cost as much as the figure; not where it is next to another one. */
function entry(label: string, list: string): string {
  return /^\d[^:\s]*(?:\s|$)/.test(list) && !/\d$/.test(label) ? `${label}:${list}` : `${label}: ${list}`;
}

/** Fewer values than this under the same two labels are cheaper to write twice. */
const SHARED = 3;

type Table = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Values by label. Those that many labels share, or that are all that these labels have, stand once, under all of
 * them: `from/to: Oslo, Bergen, Turku`. A record's figures are its own.
 */
function groups(facts: readonly SummaryFact[]): Table {
  const labels = [...labelsOf(facts)].map(([value, set]) => ({ value, ...sorted(set) }));
  const together = counts(labels.map(({ lists }) => lists.join('/')));
  const alone = counts(labels.flatMap(({ lists }) => lists));
  const byLabel = new Map<string, Set<string>>();
  for (const { value, lists, figures } of labels) {
    const sharing = together.get(lists.join('/')) ?? 0;
    const shared = sharing >= SHARED || lists.every((label) => alone.get(label) === sharing);
    for (const label of [...(shared && lists.length > 0 ? [lists.join('/')] : lists), ...figures]) {
      const values = byLabel.get(label) ?? new Set();
      byLabel.set(label, values.add(value));
    }
  }
  return byLabel;
}

type SortedLabels = { readonly lists: readonly string[]; readonly figures: readonly string[] };

/** In order. A label that ends with another one says no more: `build`, not `deploy build` as well. */
function sorted(labels: ReadonlySet<string>): SortedLabels {
  const all = [...labels].sort();
  const lists = all.filter((label) => !recordLabel(label));
  return {
    lists: lists.filter((label) => !lists.some((other) => label.endsWith(` ${other}`))),
    figures: all.filter((label) => recordLabel(label)),
  };
}

function counts(keys: readonly string[]): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const key of keys) sizes.set(key, (sizes.get(key) ?? 0) + 1);
  return sizes;
}

/** A record's figures stand behind its name, in the first list that has it, or as an entry of their own. */
function entries(table: Table): string[] {
  const figures = figuresByRecord(table);
  const lists = [...table].flatMap(([label, values]) => {
    if (recordLabel(label)) return [];
    const items = [...values].map((value) => {
      const own = figures.get(value);
      figures.delete(value);
      return own ? `${value} (${own.join(' ')})` : value;
    });
    return [entry(label, listed(items, [...values]))];
  });
  return [...lists, ...[...figures].map(([record, own]) => `${record} ${own.join(' ')}`)];
}

function figuresByRecord(table: Table): Map<string, string[]> {
  const figures = new Map<string, string[]>();
  for (const [label, values] of table) {
    const figure = recordLabel(label);
    if (!figure) continue;
    const own = figures.get(figure.record) ?? [];
    figures.set(figure.record, [...own, entry(figure.key, listed([...values]))]);
  }
  return figures;
}

function labelsOf(facts: readonly SummaryFact[]): ReadonlyMap<string, ReadonlySet<string>> {
  const labels = new Map<string, Set<string>>();
  for (const fact of facts) {
    const value = shown(fact.value);
    const known = labels.get(value) ?? new Set();
    labels.set(value, known.add(oneLine(fact.label) || readKindTag(fact.kind).kind));
  }
  return labels;
}

function sentences(facts: readonly SummaryFact[], kind: string): string {
  const lines = facts
    .filter((fact) => readKindTag(fact.kind).kind === kind)
    .sort((a, b) => a.sequence - b.sequence)
    .map((fact) => oneLine(fact.value));
  return lines.length > 0 ? `${kind}s: ${lines.join(' | ')}` : '';
}

/**
 * Facts as text: values beside their label, labels once. What was ruled and decided stands first, word by word.
 * Secrets are redacted and the wrapper's delimiters escaped, so that this is the text to be counted.
 */
export function renderFacts(facts: readonly SummaryFact[]): string {
  const values = facts.filter((fact) => !isSentence(readKindTag(fact.kind).kind));
  const table = entries(groups(values)).join('; ');
  const parts = [sentences(facts, 'rule'), sentences(facts, 'decision'), table];
  return escapeSummaryDelimiters(redactSecrets(parts.filter((part) => part !== '').join('\n')));
}
