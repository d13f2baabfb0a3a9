import type { TokenCounterName } from '@palimpsest/contracts';
import { summarizerContract } from '@palimpsest/kernel/testing';
import { renderSummary } from '../rendering/summary.js';
import { extractiveSummarizer } from '../summaries/extractive-summarizer.js';

/** Like a tokenizer: pieces that merge, so that the whole is not the sum of its parts. */
function count(text: string, counter: TokenCounterName): number {
  if (counter === 'chars') return [...text].length;
  return text.match(/ ?\p{L}{1,5}|\p{N}{1,3}|[;:,.]+ ?|\s+|./gsu)?.length ?? 0;
}

summarizerContract('extractive', () => ({
  summarizer: extractiveSummarizer(count),
  fedTokens: (text, counter) => count(renderSummary(text), counter),
}));
