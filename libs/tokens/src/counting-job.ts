import type { TokenCounterName, TokenCounts } from '@palimpsest/contracts';
import { countAll, countTokens } from './count-tokens.js';

/** What a thread is asked; without a counter, the counts in every unit. */
export type CountingJob = { readonly text: string; readonly counter?: TokenCounterName };

export type CountingAnswer = TokenCounts | number;

export function answerCountingJob({ text, counter }: CountingJob): CountingAnswer {
  return counter === undefined ? countAll(text) : countTokens(text, counter);
}
