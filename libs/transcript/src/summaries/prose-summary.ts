import type { SummaryContent, SummaryFact } from '@palimpsest/contracts';
import type { CountTokens, SummaryRequest } from '@palimpsest/kernel';
import { escapeSummaryDelimiters, renderSummary } from '../rendering/summary.js';
import { rankFacts } from './rank-facts.js';
import { renderFacts } from './render-facts.js';
import { selectFacts } from './select-facts.js';

type Parts = { readonly prose: string; readonly facts: readonly SummaryFact[] };

/**
 * A summary of prose and of as many facts after it as its cap allows: values stay exact, whatever the prose makes of them.
 * Its pool is that of the facts, so that later summaries rank over all of them. `undefined` where the prose alone is too much.
 */
export function proseSummary(
  { prose, facts }: Parts,
  { maxTokens, tokenCounter }: Pick<SummaryRequest, 'maxTokens' | 'tokenCounter'>,
  count: CountTokens,
): SummaryContent | undefined {
  const escaped = escapeSummaryDelimiters(prose);
  const textOf = (some: readonly SummaryFact[]): string =>
    some.length === 0 ? escaped : `${escaped}\n${renderFacts(some)}`;
  const measure = (text: string): number => count(text, tokenCounter);
  const render = (some: readonly SummaryFact[]): string => renderSummary(textOf(some));
  if (measure(render([])) > maxTokens) return undefined;
  const chosen = selectFacts(rankFacts(facts), { max: maxTokens, count: measure, render });
  return { text: textOf(chosen), facts };
}
