import fc from 'fast-check';
import { pathReader, type ReadPath } from './owned-paths.js';
import { liesInScope, overlapsScope, overlapWithin, scopeOf } from './path-scope.js';
import { isSafePath } from './safe-path.js';
import { textWorkspace } from './workspace.js';

const read: ReadPath = pathReader(undefined, textWorkspace);

describe('owned paths (§4.2), by their text', () => {
  it.each([
    ['src/a.ts', 'src/a.ts'],
    ['Src/A.TS', 'src/a.ts'],
    ['./src//a/./b/', 'src/a/b'],
    ['src\\a\\b', 'src/a/b'],
    ['.', ''],
    ['./', ''],
    ['...', '...'],
    ['a/.../b', 'a/.../b'],
    ['src/**', 'src/**'],
    ['[a]', '[a]'],
    ['ｓｒｃ/Ａ', 'src/a'],
    ['caf\u0065\u0301', 'caf\u00e9'],
    ['ÄÖ', 'äö'],
    ['a b', 'a b'],
  ])('reads %p as %p', (path, expected) => expect(read(path)).toBe(expected));

  it.each([
    '',
    ' ',
    ' a',
    'a ',
    '\ufeffa',
    'a\u00a0',
    '/a',
    '\\a',
    '//server/share',
    '\\\\server\\share',
    'C:\\a',
    'c:/a',
    'https://a/b',
    'a:stream',
    '..',
    'a/..',
    'a/../b',
    'a\\..\\b',
    '../a',
    'a\u0000b',
    'a\u001fb',
    'a\u007fb',
    'a\nb',
    5,
    null,
    true,
    ['a'],
    { path: 'a' },
  ])('refuses %p', (path) =>
    expect(() => read(path)).toThrow(expect.objectContaining({ code: 'INVALID_OWNERSHIP_PATH' })),
  );

  it.each([[''], [' '], [5], [true], [{}]])('judges the root %p only where there is a path', (root) => {
    const reader = pathReader(root, textWorkspace);
    expect(() => reader('a')).toThrow(expect.objectContaining({ code: 'INVALID_OWNERSHIP_PATH' }));
  });

  it('takes a null root for none', () => expect(pathReader(null, textWorkspace)('a')).toBe('a'));

  it('refuses what a workspace says is outside', () => {
    expect(() => pathReader(undefined, () => () => undefined)('a')).toThrow(
      expect.objectContaining({ code: 'INVALID_OWNERSHIP_PATH' }),
    );
  });
});

describe('overlap (§4.2)', () => {
  it.each([
    ['a', 'a', true],
    ['a', 'a/b', true],
    ['a/b', 'a', true],
    ['apps/a', 'apps/ab', false],
    ['apps/a', 'apps/a-b', false],
    ['apps/a/x', 'apps/a.b', false],
    ['', 'anything', true],
    ['anything', '', true],
    ['a/c', 'a/b', false],
  ])('of %p and %p: %p', (one, other, expected) => {
    expect(overlapsScope(scopeOf([one]), other)).toBe(expected);
    expect(overlapWithin([one, other])).toBe(expected);
  });

  const overlap = (one: string, other: string): boolean =>
    one === other || one === '' || other === '' || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
  const path = fc
    .array(fc.constantFrom('a', 'b', 'a-', 'a.', 'ab'), { maxLength: 4 })
    .map((segments) => segments.join('/'));

  it('lies in a scope by what comparing with each of its paths says', () => {
    const within = (inner: string, outer: string): boolean =>
      inner === outer || outer === '' || inner.startsWith(`${outer}/`);
    fc.assert(
      fc.property(fc.array(path, { maxLength: 8 }), path, (paths, other) => {
        expect(liesInScope(scopeOf(paths), other)).toBe(paths.some((outer) => within(other, outer)));
      }),
      { numRuns: 500 },
    );
  });

  it('is what comparing every two paths says', () => {
    fc.assert(
      fc.property(fc.array(path, { maxLength: 8 }), path, (paths, other) => {
        expect(overlapsScope(scopeOf(paths), other)).toBe(paths.some((one) => overlap(one, other)));
        const pairs = paths.some((one, place) => paths.slice(place + 1).some((next) => overlap(one, next)));
        expect(overlapWithin(paths)).toBe(pairs);
      }),
      { numRuns: 500 },
    );
  });
});

describe('safe paths (§6.4)', () => {
  it.each(['a', 'a/b.ts', '...', 'A/B', 'a b', 'ｃ'])('takes %p', (path) =>
    expect(isSafePath(path)).toBe(true),
  );
  it.each([
    '',
    ' a',
    'a ',
    'a\\b',
    'a:b',
    '/a',
    'a/',
    'a//b',
    './a',
    'a/.',
    '..',
    'a/../b',
    'a\u0000',
    'a\u007f',
    5,
    null,
    true,
  ])('refuses %p', (path) => expect(isSafePath(path)).toBe(false));
});
