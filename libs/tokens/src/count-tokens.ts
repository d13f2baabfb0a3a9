import type { TokenCounterName, TokenCounts } from '@palimpsest/contracts';
import type { CountTokens } from '@palimpsest/kernel';
import { countCodePoints } from './code-points.js';
import { encodingOf } from './encodings.js';

/** Counts as the reference's `encode_ordinary` does; `chars` counts code points. A lone surrogate counts as U+FFFD. */
export const countTokens: CountTokens = (text: string, counter: TokenCounterName): number =>
  counter === 'chars' ? countCodePoints(text) : encodingOf(counter).count(text);

/** The counts in every unit. */
export function countAll(text: string): TokenCounts {
  return {
    o200k_base: countTokens(text, 'o200k_base'),
    cl100k_base: countTokens(text, 'cl100k_base'),
    chars: countCodePoints(text),
  };
}
