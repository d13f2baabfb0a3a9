import fc from 'fast-check';
import { countTokens as gptO200k } from 'gpt-tokenizer/encoding/o200k_base';
import { countAll, countTokens } from './count-tokens.js';
import { CORPUS } from './testing/corpus.js';
import { referenceCount } from './testing/reference-tokenizer.js';

const ENCODINGS = ['o200k_base', 'cl100k_base'] as const;

/** Code points where the classes of the patterns meet, so that random texts are dense in hard places. */
const HARD = [...new Set(Object.values(CORPUS).join(''))];

const hardText = fc.array(fc.constantFrom(...HARD), { maxLength: 24 }).map((points) => points.join(''));
const scriptText = fc
  .array(
    fc.oneof(
      fc.constantFrom('a', 'B', ' ', '\n', "'", 's', '1', '/', '!', '\t', '\r'),
      fc.constantFrom('漢', 'あ', '한', 'é', '\u0301', 'ǅ', 'ʰ', '٣', '\ufeff', '\u0085', '\u017f'),
      fc.constantFrom('👍', '\u200d', '🇩', '🏽', '𝒳', '𐐨', '\u{1f9d1}'),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));
const anyText = fc.string({ unit: 'binary', maxLength: 40 });
const longText = fc
  .tuple(fc.oneof(scriptText, anyText), fc.integer({ min: 1, max: 30 }))
  .map(([text, times]) => text.repeat(times));

describe.each(ENCODINGS)('countTokens in %s', (encoding) => {
  it.each(Object.entries(CORPUS))('counts %s as the reference', (_, text) => {
    expect(countTokens(text, encoding)).toBe(referenceCount(text, encoding));
  });

  it.each([
    ['hard places', hardText],
    ['mixed scripts', scriptText],
    ['any Unicode', anyText],
    ['repeated', longText],
  ])('counts random texts of %s as the reference', (_, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(countTokens(text, encoding)).toBe(referenceCount(text, encoding));
      }),
      { numRuns: 300 },
    );
  });

  it('counts a lone surrogate as the replacement character', () => {
    for (const text of [
      '\ud800',
      'a\udc00b',
      '\udc00\ud800',
      'x\ud83d',
      ' \ud800\ud800A',
      '\ud83d'.repeat(200),
    ])
      expect(countTokens(text, encoding)).toBe(countTokens(text.toWellFormed(), encoding));
  });

  it('adds up when a text that ends a line is followed by one that starts with a letter', () => {
    const line = fc.oneof(hardText, scriptText, anyText).map((text) => `${text}\n`);
    const letter = fc.constantFrom('u', 'A', 'ß', '漢', 'ʰ', '𝒳', '한');
    fc.assert(
      fc.property(line, letter, line, (first, start, rest) => {
        const second = start + rest;
        expect(countTokens(first + second, encoding)).toBe(
          countTokens(first, encoding) + countTokens(second, encoding),
        );
      }),
      { numRuns: 300 },
    );
  });
});

describe('countTokens', () => {
  it('agrees with gpt-tokenizer on text without white space of its own reading', () => {
    for (const text of [CORPUS.prose!, CORPUS.code!, CORPUS.json!, CORPUS.special!, CORPUS.emoji!])
      expect(countTokens(text, 'o200k_base')).toBe(gptO200k(text, { disallowedSpecial: new Set() }));
  });

  it('counts code points as chars', () => {
    expect(countTokens('a👍é\u0301', 'chars')).toBe(4);
    fc.assert(
      fc.property(anyText, (text) => {
        expect(countTokens(text, 'chars')).toBe([...text].length);
      }),
    );
    expect(countTokens('\ud800x\udc00\ud800', 'chars')).toBe(4);
  });

  it('counts known texts', () => {
    expect(countAll('hello world')).toEqual({ o200k_base: 2, cl100k_base: 2, chars: 11 });
    expect(countAll('')).toEqual({ o200k_base: 0, cl100k_base: 0, chars: 0 });
    expect(countAll('<|endoftext|>')).toEqual({ o200k_base: 7, cl100k_base: 7, chars: 13 });
  });
});
