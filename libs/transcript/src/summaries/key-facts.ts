import type { SummaryFact, TokenCounterName } from '@palimpsest/contracts';
import type { CountTokens } from '@palimpsest/kernel';
import { textFacts } from '../facts/extract-facts.js';
import { kindTag } from '../facts/fact-kinds.js';
import { rankFacts } from './rank-facts.js';
import { holdsSecret } from './redact.js';
import { renderFacts } from './render-facts.js';
import { selectFacts } from './select-facts.js';

/** Reads a long text once. Gives back what names its most telling values on one line of at most `max` tokens; empty where none fits. */
export function keyFactsOf(
  text: string,
  counter: TokenCounterName,
  count: CountTokens,
): (max: number) => string {
  const facts = textFacts(text, 'result', '').map(({ label, value, kind, seen, keyed }): SummaryFact => ({
    label,
    value,
    sequence: 0,
    seen,
    kind: kindTag(kind, 'result', keyed),
  }));
  const ranked = rankFacts(facts.filter((fact) => !holdsSecret(`${fact.label}: ${fact.value}`)));
  return (max) =>
    renderFacts(selectFacts(ranked, { max, count: (line) => count(line, counter), render: renderFacts }));
}

/** The most telling values of a long text on one line of at most `maxTokens`; empty where none fits. */
export function keyFacts(
  text: string,
  maxTokens: number,
  counter: TokenCounterName,
  count: CountTokens,
): string {
  return keyFactsOf(text, counter, count)(maxTokens);
}
