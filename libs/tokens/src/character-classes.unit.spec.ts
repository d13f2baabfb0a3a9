import { Tiktoken } from 'tiktoken/lite';
import { CASELESS, classOf, LOWER, MARK, NUMBER, SPACE, UPPER, WHITE_SPACE } from './character-classes.js';

const SINGLE_BYTES = Array.from({ length: 256 }, (_, byte) => Buffer.from([byte]).toString('base64')).join(
  ' ',
);

describe('classOf', () => {
  it.each([
    ['\\p{Lu}|\\p{Lt}', UPPER],
    ['\\p{Ll}', LOWER],
    ['\\p{Lm}|\\p{Lo}', CASELESS],
    ['\\p{M}', MARK],
    ['\\p{N}', NUMBER],
    ['\\s', WHITE_SPACE],
  ])('knows the code points of %s as the reference does', (pattern, mask) => {
    // What a pattern does not match, the reference drops: one call tells how many of a block it matches.
    const matcher = new Tiktoken(`! 0 ${SINGLE_BYTES}`, {}, pattern);
    const differing: number[] = [];
    for (let block = 0; block < 0x110000; block += 1024) {
      if (block >= 0xd800 && block < 0xe000) continue;
      const points = Array.from({ length: 1024 }, (_, at) => block + at);
      const expected = points.filter((point) => (classOf(point) & mask) !== 0);
      const matched = matcher.encode_ordinary(String.fromCodePoint(...points));
      if (Buffer.from(matched).toString() !== String.fromCodePoint(...expected)) differing.push(block);
    }
    matcher.free();
    expect(differing).toEqual([]);
  });

  it('tells line breaks from other white space', () => {
    expect([0x0a, 0x0d].map((point) => classOf(point) & SPACE)).toEqual([0, 0]);
    expect(classOf(0xfeff) & WHITE_SPACE).toBe(0);
    expect(classOf(0x85)).toBe(SPACE);
  });
});
