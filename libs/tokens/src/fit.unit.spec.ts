import fc from 'fast-check';
import { countTokens } from './count-tokens.js';
import { encodingOf } from './encodings.js';
import { fitHead } from './fit-head.js';
import { fitTail } from './fit-tail.js';
import { CORPUS } from './testing/corpus.js';

const COUNTERS = ['o200k_base', 'cl100k_base', 'chars'] as const;
type Counter = (typeof COUNTERS)[number];

/** Every cut between code points. */
function cutsOf(text: string): number[] {
  const cuts = [0];
  for (const point of text) cuts.push(cuts.at(-1)! + point.length);
  return cuts;
}

function longestHead(text: string, counter: Counter, maxTokens: number): string {
  const cut = cutsOf(text).findLast((at) => countTokens(text.slice(0, at), counter) <= maxTokens);
  return text.slice(0, cut);
}

function longestTail(text: string, counter: Counter, maxTokens: number): string {
  const cut = cutsOf(text).find((at) => countTokens(text.slice(at), counter) <= maxTokens);
  return text.slice(cut);
}

const hardText = fc
  .array(fc.constantFrom(...new Set(Object.values(CORPUS).join(''))), { maxLength: 60 })
  .map((points) => points.join(''));
const words = fc
  .array(
    fc.constantFrom(' hello', 'camelCase', '\n', '    ', '漢字', '👨‍👩‍👧', '12345', "don't", '----', 'ABC', 'é'),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

describe.each(COUNTERS)('fitting in %s', (counter) => {
  it('takes the longest head and tail, as trying every cut does', () => {
    fc.assert(
      fc.property(fc.oneof(hardText, words), fc.integer({ min: 0, max: 30 }), (text, maxTokens) => {
        expect(fitHead(text, counter, maxTokens)).toBe(longestHead(text, counter, maxTokens));
        expect(fitTail(text, counter, maxTokens)).toBe(longestTail(text, counter, maxTokens));
      }),
      { numRuns: 300 },
    );
  });

  it('takes all of a text that fits, and nothing for nothing', () => {
    for (const text of Object.values(CORPUS)) {
      const count = countTokens(text, counter);
      expect(fitHead(text, counter, count)).toBe(text);
      expect(fitTail(text, counter, count)).toBe(text);
      expect(
        fitHead(text, counter, 0) + fitTail(text, counter, -1) + fitHead(text, counter, Number.NaN),
      ).toBe('');
    }
  });

  it.each(['a', '👍', '漢', ' ', '7', 'abc', 'word ', '\n', 'Zq'])(
    'stays within the bound in a text of %j',
    (unit) => {
      const text = unit.repeat(10_000);
      const total = countTokens(text, counter);
      for (const maxTokens of [1, 2, 37, 1000]) {
        const head = fitHead(text, counter, maxTokens);
        const tail = fitTail(text, counter, maxTokens);
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
        expect(head.isWellFormed() && tail.isWellFormed()).toBe(true);
        // A code point is at most three tokens here: no further one may be left out.
        const least = Math.min(maxTokens, total) - 2;
        for (const fitted of [head, tail]) {
          expect(countTokens(fitted, counter)).toBeLessThanOrEqual(maxTokens);
          expect(countTokens(fitted, counter)).toBeGreaterThanOrEqual(least);
        }
      }
    },
  );

  it('never cuts a surrogate pair', () => {
    const text = '👍🏽'.repeat(50);
    for (let maxTokens = 0; maxTokens < 60; maxTokens += 1) {
      expect(fitHead(text, counter, maxTokens).isWellFormed()).toBe(true);
      expect(fitTail(text, counter, maxTokens).isWellFormed()).toBe(true);
    }
  });
});

describe('what fitting reads', () => {
  it.each(['a', 'word ', '漢'])('does not grow with the text (%j)', (unit) => {
    const piece = jest.spyOn(encodingOf('o200k_base'), 'countPiece');
    const read = (times: number): number => {
      piece.mockClear();
      fitHead(unit.repeat(times), 'o200k_base', 50);
      fitTail(unit.repeat(times), 'o200k_base', 50);
      return piece.mock.calls.reduce((sum, [, start, end]) => sum + end - start, 0);
    };
    expect(read(400_000)).toBe(read(40_000));
    piece.mockRestore();
  });
});
