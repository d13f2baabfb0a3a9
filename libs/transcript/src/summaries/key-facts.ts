import type { SummaryFact, TokenCounterName } from '@palimpsest/contracts';
import type { CountTokens } from '@palimpsest/kernel';
import { textFacts } from '../facts/extract-facts.js';
import { kindTag } from '../facts/fact-kinds.js';
import { rankFacts } from './rank-facts.js';
import { holdsSecret } from './redact.js';
import { renderFacts } from './render-facts.js';
import { selectFacts } from './select-facts.js';

/** The most telling values of a long text on one line of at most `maxTokens`; empty where none fits. */
export function keyFacts(
  text: string,
  maxTokens: number,
  counter: TokenCounterName,
  count: CountTokens,
): string {
  const facts = textFacts(text, 'result', '').map(({ label, value, kind, seen }): SummaryFact => ({
    label,
    value,
    sequence: 0,
    seen,
    kind: kindTag(kind, new Set(['result'])),
  }));
  const clean = facts.filter((fact) => !holdsSecret(`${fact.label}: ${fact.value}`));
  const chosen = selectFacts(rankFacts(clean), {
    max: maxTokens,
    count: (line) => count(line, counter),
    render: renderFacts,
  });
  return renderFacts(chosen);
}
