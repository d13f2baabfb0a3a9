import { clip, count, oneLine, percent, plural, printable, wrap } from './text.js';

describe('texts of others', () => {
  it('cannot move the cursor, colour the terminal or turn the reading direction', () => {
    expect(printable('a\u001b[2Jb\u0007c\u202ed\u009be')).toBe('a\uFFFD[2Jb\uFFFDc\uFFFDd\uFFFDe');
  });

  it('keep their lines; tabs become blanks', () => {
    expect(printable('a\r\nb\tc')).toBe('a\nb  c');
  });

  it('stand on one line where that is asked for', () => {
    expect(oneLine('  a\n\n b\tc ', 10)).toBe('a b c');
    expect(oneLine('abcdefghijk', 10)).toBe('abcdefghi…');
  });

  it('are not cut inside a character', () => {
    expect(clip('ab😀cd', 4)).toBe('ab…');
    expect(clip('ab😀', 4)).toBe('ab😀');
  });

  it('are wrapped at blanks, or anywhere where there are none', () => {
    expect(wrap('one two three\nfour', 8)).toEqual(['one two', 'three', 'four']);
    expect(wrap('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
  });
});

describe('numbers', () => {
  it('are grouped, counted and compared', () => {
    expect(count(1234567)).toBe('1,234,567');
    expect([plural(1, 'window'), plural(2, 'window'), plural(0, 'entry', 'entries')]).toEqual([
      '1 window',
      '2 windows',
      '0 entries',
    ]);
    expect([percent(1, 3), percent(0, 0)]).toEqual(['33.3 %', '–']);
  });
});
