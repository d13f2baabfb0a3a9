import { assertSubject, subjectMatches } from './subjects.js';

describe('subjectMatches', () => {
  it.each([
    ['a.b', 'a.b', true],
    ['a.b', 'a.b.c', false],
    ['a.>', 'a.b', true],
    ['a.>', 'a.b.c', true],
    ['a.>', 'a', false],
    ['a.>', 'a.', false],
    ['a.>', 'ab.c', false],
  ])('%s takes %s: %s', (pattern, subject, expected) => {
    expect(subjectMatches(pattern, subject)).toBe(expected);
  });
});

describe('assertSubject', () => {
  it.each(['a', 'a.b-c_D9', 'ü.x'])('takes %s', (subject) => {
    expect(() => assertSubject(subject)).not.toThrow();
  });

  it.each(['', '.', 'a.', '.a', 'a..b', 'a b', 'a\n', 'a.*', 'a.>', '>', 'x*y'])(
    'refuses "%s"',
    (subject) => {
      expect(() => assertSubject(subject)).toThrow(expect.objectContaining({ code: 'validation_error' }));
    },
  );
});
