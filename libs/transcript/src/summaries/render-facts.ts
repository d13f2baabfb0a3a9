import type { SummaryFact } from '@palimpsest/contracts';
import { isSentence, readKindTag } from '../facts/fact-kinds.js';
import { escapeSummaryDelimiters } from '../rendering/summary.js';
import { redactSecrets } from './redact.js';

/** One line: what content says stays inside it and cannot look like another entry. */
function oneLine(text: string): string {
  return text.replace(/[\s\0\x01-\x1f\x7f\u0085\u2028\u2029]+/g, ' ').trim();
}

/** A value whose own marks could be taken for those of the summary is quoted. */
function shown(value: string): string {
  const line = oneLine(value);
  return /[;]|, /.test(line) ? `"${line.replaceAll('"', "'")}"` : line;
}

/** Values of one word need no comma, which would cost as much as a short value. */
function listed(values: readonly string[]): string {
  return values.join(values.some((value) => value.includes(' ')) ? ', ' : ' ');
}

/** Fewer values than this under the same two labels are cheaper to write twice. */
const SHARED = 3;

/** Values by label. Those that many labels share stand once, under all of them: `from/to: Oslo, Bergen, Turku`. */
function groups(facts: readonly SummaryFact[]): ReadonlyMap<string, ReadonlySet<string>> {
  const labels = labelsOf(facts);
  const sizes = new Map<string, number>();
  for (const set of labels.values()) sizes.set(joinedLabels(set), (sizes.get(joinedLabels(set)) ?? 0) + 1);
  const byLabel = new Map<string, Set<string>>();
  for (const [value, set] of labels) {
    const shared = (sizes.get(joinedLabels(set)) ?? 0) >= SHARED;
    for (const label of shared ? [joinedLabels(set)] : set) {
      const values = byLabel.get(label) ?? new Set();
      byLabel.set(label, values.add(value));
    }
  }
  return byLabel;
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

function joinedLabels(labels: ReadonlySet<string>): string {
  return [...labels].sort().join('/');
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
  const table = [...groups(values)].map(([label, list]) => `${label}: ${listed([...list])}`).join('; ');
  const parts = [sentences(facts, 'rule'), sentences(facts, 'decision'), table];
  return escapeSummaryDelimiters(redactSecrets(parts.filter((part) => part !== '').join('\n')));
}
