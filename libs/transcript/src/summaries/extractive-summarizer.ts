import type { SummaryContent, SummaryFact } from '@palimpsest/contracts';
import type { CountTokens, Summarizer, SummaryRequest } from '@palimpsest/kernel';
import { renderSummary } from '../rendering/summary.js';
import { FactPool } from './fact-pool.js';
import { boundedPool, rankFacts } from './rank-facts.js';
import { holdsSecret } from './redact.js';
import { renderFacts } from './render-facts.js';
import { selectFacts } from './select-facts.js';

/** Messages read between two turns of the event loop. */
const SLICE = 16;

/**
 * A summarizer without a model: the labelled values and the stated rules of what it stands for. It ranks over the
 * absorbed summary's whole pool, never over its text, so that nothing is a copy of a copy. Deterministic.
 */
export function extractiveSummarizer(count: CountTokens): Summarizer {
  return {
    async summarize(request) {
      const pool = new FactPool();
      pool.absorb(request.previous?.facts ?? []);
      for (const [index, message] of request.messages.entries()) {
        if (index % SLICE === SLICE - 1) await nextTurn();
        pool.read(message);
      }
      return summaryOf(pool.all(), request, count);
    },
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
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
