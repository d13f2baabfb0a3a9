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

function groups(facts: readonly SummaryFact[]): ReadonlyMap<string, readonly string[]> {
  const byLabel = new Map<string, string[]>();
  for (const fact of facts) {
    const label = oneLine(fact.label) || readKindTag(fact.kind).kind;
    const values = byLabel.get(label);
    if (values) values.push(shown(fact.value));
    else byLabel.set(label, [shown(fact.value)]);
  }
  return byLabel;
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
  const table = [...groups(values)].map(([label, list]) => `${label}: ${list.join(', ')}`).join('; ');
  const parts = [sentences(facts, 'rule'), sentences(facts, 'decision'), table];
  return escapeSummaryDelimiters(redactSecrets(parts.filter((part) => part !== '').join('\n')));
}
