import { countTokens } from './count-tokens.js';
import { referenceCount } from './testing/reference-tokenizer.js';

const ENCODINGS = ['o200k_base', 'cl100k_base'] as const;
const UNITS = [
  'a',
  'A',
  'é',
  '漢',
  ' ',
  '\n',
  '\t',
  '.',
  '-',
  '7',
  'ab',
  'aB',
  '👍',
  '👨‍👩‍👧',
  '🇩🇪',
  '\u0301',
  '\r\n',
  ' \n',
];
const MEBI = 2 ** 20;

/** Letters without a period, the same in every run. */
function scrambled(length: number): string {
  let state = 1;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return String.fromCharCode(97 + ((state >>> 16) % 26));
  }).join('');
}

describe.each(ENCODINGS)('one long piece in %s', (encoding) => {
  it.each(UNITS)('of %j counts as the reference', (unit) => {
    for (const times of [95, 96, 97, 129, 400]) {
      const text = `x${unit.repeat(times)}y`;
      expect(countTokens(text, encoding)).toBe(referenceCount(text, encoding));
    }
    for (const text of [unit.repeat(257), `${unit.repeat(131)} `])
      expect(countTokens(text, encoding)).toBe(referenceCount(text, encoding));
  });

  it('of letters without a period counts as the reference', () => {
    for (const length of [90, 200, 2001]) {
      const text = scrambled(length);
      expect(countTokens(text, encoding)).toBe(referenceCount(text, encoding));
    }
  });

  // Merging a power of two of one unit is the same for both halves, so the count doubles with the length: what the
  // reference says at 1,024 gives the count of a whole mebibyte.
  it.each(['a', ' ', '.', '👍', '漢'])('of %j doubles up to 1 Mi units', (unit) => {
    const times = MEBI / unit.length;
    const small = referenceCount(unit.repeat(1024), encoding);
    expect(countTokens(unit.repeat(times), encoding)).toBe((small * times) / 1024);
  });

  it('of digits counts three a token', () => {
    expect(countTokens('7'.repeat(MEBI), encoding)).toBe(Math.ceil(MEBI / 3));
  });

  it('of letters without a period ends at 1 Mi', () => {
    const tokens = countTokens(scrambled(MEBI), encoding);
    expect(tokens).toBeGreaterThan(MEBI / 4);
    expect(tokens).toBeLessThan(MEBI);
  });
});
