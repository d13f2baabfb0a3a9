import { countTokens, fitHead, fitTail } from '@palimpsest/tokens';
import { keyFactsOf, type Measure } from '@palimpsest/transcript';

/** Exact counting and trimming, for cuts. */
export const exactMeasure: Omit<Measure, 'counter'> = {
  count: countTokens,
  head: fitHead,
  tail: fitTail,
  facts: (text, counter) => keyFactsOf(text, counter, countTokens),
};
