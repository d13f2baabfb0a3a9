import type { SummaryContent, SummaryFact } from '@palimpsest/contracts';
import type { CountTokens, Summarizer, SummaryRequest } from '@palimpsest/kernel';
import { renderSummary } from '../rendering/summary.js';
import { FactPool } from './fact-pool.js';
import { boundedPool, rankFacts } from './rank-facts.js';
import { holdsSecret } from './redact.js';
import { renderFacts } from './render-facts.js';
import { selectFacts } from './select-facts.js';

export type ExtractiveOptions = {
  /** Called between slices of a large job, so that its process can serve others. Default: no pause. */
  readonly pause?: () => Promise<void>;
};

/** Characters read between two pauses. */
const SLICE = 128 * 1024;

/**
 * A summarizer without a model: the labelled values and the stated rules of what it stands for. It ranks over the
 * absorbed summary's whole pool, never over its text, so that nothing is a copy of a copy. Deterministic.
 */
export function extractiveSummarizer(count: CountTokens, { pause }: ExtractiveOptions = {}): Summarizer {
  return {
    async summarize(request) {
      const pool = new FactPool();
      for (const { facts } of request.absorbed) pool.absorb(facts);
      let read = 0;
      for (const message of request.messages) {
        pool.read(message);
        read += message.text.length;
        if (read < SLICE) continue;
        read = 0;
        await pause?.();
      }
      return { summary: summaryOf(pool.all(), request, count), by: 'extractive', invocations: [] };
    },
  };
}

function summaryOf(
  facts: readonly SummaryFact[],
  { maxTokens, tokenCounter }: SummaryRequest,
  count: CountTokens,
): SummaryContent | undefined {
  const pool = boundedPool(rankFacts(facts.filter(isClean)));
  const chosen = selectFacts(rankFacts(pool), {
    max: maxTokens,
    count: (text) => count(text, tokenCounter),
    render: (some) => renderSummary(renderFacts(some)),
  });
  const text = renderFacts(chosen);
  return text === '' ? undefined : { text, facts: pool };
}

function isClean(fact: SummaryFact): boolean {
  return !holdsSecret(`${fact.label}: ${fact.value}`);
}
