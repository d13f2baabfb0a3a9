import type { TokenCounterName, TokenCounts } from '@palimpsest/contracts';

/** Exact count of a text in one unit, in near-linear time on any input; special-token spellings count as text. */
export type CountTokens = (text: string, counter: TokenCounterName) => number;

/** Exact counts that never hold the event loop for long, whatever the text. */
export interface TokenCounter {
  /** Counts in every unit, in the order of `texts`. */
  countAll(texts: readonly string[]): Promise<readonly TokenCounts[]>;
  count(text: string, counter: TokenCounterName): Promise<number>;
  close(): Promise<void>;
}
