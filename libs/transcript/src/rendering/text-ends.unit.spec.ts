import { textEnds } from './text-ends.js';

describe('the ends of a text', () => {
  it.each([
    ['short', 'abcdef', 6, 'abcdef'],
    ['long', 'abcdefgh', 6, 'abc\nfgh'],
    ['odd', 'abcdefgh', 5, 'ab\ngh'],
    ['pairs at both places', 'ab👍cd👍ef', 6, 'ab\nef'],
  ])('%s', (_, text, most, expected) => {
    expect(textEnds(text, most)).toBe(expected);
    expect(textEnds(text, most).isWellFormed()).toBe(true);
  });
});
