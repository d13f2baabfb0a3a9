import type { SummaryContent, TokenCounterName } from '@palimpsest/contracts';
import { countTokens } from '@palimpsest/tokens';
import { extractiveSummarizer, keyFacts, renderSummary } from '@palimpsest/transcript';
import fc from 'fast-check';

const COUNTERS: readonly TokenCounterName[] = ['o200k_base', 'cl100k_base', 'chars'];

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 120 }),
  fc.json(),
  fc.constantFrom(
    'Order AX-1190 must arrive by May 5, 2031 for $1,204.50 <|endoftext|>',
    '{"rows": [{"id": "R-1901", "eur": 4.5}, {"id": "R-1902", "eur": 7}], "who": "Ана Перес"}',
    '注文番号はZX-88121です。🧑‍🚀🇫🇮 한국어 R-77',
  ),
);
const messages = fc.array(
  fc.record({ sequence: fc.nat(99), role: fc.constantFrom('user' as const, 'tool' as const), text }),
  { minLength: 1, maxLength: 8 },
);

describe('the built-in summarizer, counted exactly', () => {
  it.each(COUNTERS)(
    'is never over its cap in %s, over rounds that absorb each other',
    async (tokenCounter) => {
      const summarizer = extractiveSummarizer(countTokens);
      await fc.assert(
        fc.asyncProperty(
          fc.array(messages, { minLength: 1, maxLength: 3 }),
          fc.nat(300),
          async (rounds, max) => {
            let previous: SummaryContent | undefined;
            for (const round of rounds) {
              const request = {
                tokenCounter,
                maxTokens: max,
                messages: round,
                absorbed: previous ? [previous] : [],
              };
              const { summary } = await summarizer.summarize(request);
              if (!summary) continue;
              expect(countTokens(renderSummary(summary.text), tokenCounter)).toBeLessThanOrEqual(max);
              expect(summary.text.isWellFormed()).toBe(true);
              previous = summary;
            }
          },
        ),
        { numRuns: 100 },
      );
    },
  );

  it.each(COUNTERS)('keeps the facts of a cut within its room in %s', (counter) => {
    fc.assert(
      fc.property(text, fc.nat(60), (source, max) => {
        expect(countTokens(keyFacts(source, max, counter, countTokens), counter)).toBeLessThanOrEqual(max);
      }),
      { numRuns: 200 },
    );
  });
});
