import fc from 'fast-check';
import { compatibilityForm } from './compatibility-form.js';

// classes 230, 220, 1, 240, 202, 9, 8, 7, 26 and others; without one; several in one; marks by compatibility alone
const MARKS = [
  '\u0301',
  '\u0316',
  '\u0334',
  '\u0345',
  '\u0327',
  '\u094d',
  '\u3099',
  '\u093c',
  '\u064b',
  '\u05b0',
];
const ODD = ['\u0903', '\u20dd', '\u034f', '\u0344', '\u0f73', '\uff9e', '\ufe00', '\u{1d165}', '\u{1e8d0}'];
const OTHERS = ['a', 'é', '\uac00', '\u1161', '\u11a8', 'か', '\u00a8', 'ﬁ', '\ufdfa', ' ', '\ud800', '1'];

describe('compatibilityForm', () => {
  it('is NFKC, however long a run of marks', () => {
    const mark = fc.constantFrom(...MARKS, ...ODD);
    const run = fc.array(mark, { minLength: 60, maxLength: 150 }).map((marks) => marks.join(''));
    const text = fc.array(fc.oneof(run, fc.constantFrom(...OTHERS)), { maxLength: 6 });
    fc.assert(
      fc.property(text, (parts) => {
        const joined = parts.join('');
        expect(compatibilityForm(joined)).toBe(joined.normalize('NFKC'));
      }),
      { numRuns: 300 },
    );
  });

  it('is NFKC for every mark there is', () => {
    const all = Array.from({ length: 0x2_0000 }, (_, code) => String.fromCodePoint(code));
    const marks = all.filter((character) => /\p{M}/u.test(character));
    const text = `a${[...marks, ...marks.reverse()].join('')}`;
    expect(compatibilityForm(text)).toBe(text.normalize('NFKC'));
  });

  it('has read a mebibyte of marks before anyone waits', () => {
    const text = `a${'\u0301\u0316'.repeat(262_144)}`;
    expect(compatibilityForm(text)).toBe(
      `a${'\u0316'.repeat(262_144)}${'\u0301'.repeat(262_144)}`.normalize('NFKC'),
    );
  });
});
