import { clip, count, moment, oneLine, percent, plural, printable, wrap } from './text.js';

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

describe('moments', () => {
  it.each([
    ['2031-03-10T12:00:30.000Z', 0, '2031-03-10 12:00 +00:00'],
    ['2031-12-31T23:30:00.000Z', 60, '2032-01-01 00:30 +01:00'],
    ['2031-03-10T12:00:00.000Z', 330, '2031-03-10 17:30 +05:30'],
    ['2031-01-01T00:29:00.000Z', -30, '2030-12-31 23:59 -00:30'],
    ['2031-03-10T12:00:00+05:30', -570, '2031-03-09 21:00 -09:30'],
  ])('name their zone: %s, %d minutes ahead of UTC', (iso, ahead, expected) =>
    expect(moment(iso, ahead)).toBe(expected),
  );

  it('are in the zone of this process', () => {
    const iso = '2031-07-10T12:00:00.000Z';
    expect(moment(iso)).toBe(moment(iso, -new Date(iso).getTimezoneOffset()));
  });

  it('are shown as they came where they are none', () =>
    expect(moment('soon\u001b[2J')).toBe('soon\uFFFD[2J'));
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
