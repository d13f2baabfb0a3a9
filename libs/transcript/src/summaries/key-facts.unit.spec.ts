import type { TokenCounterName } from '@palimpsest/contracts';
import fc from 'fast-check';
import { keyFacts } from './key-facts.js';

const count = (text: string, _: TokenCounterName): number => [...text].length;

describe('keyFacts', () => {
  it('names the telling values of a long text on one line', () => {
    const text = `${'filler words and more of them. '.repeat(50)}\n{"order": "ZX-88121", "due": "2031-05-20"}\n`;
    expect(keyFacts(text, 60, 'chars', count)).toBe('order: ZX-88121; due:2031-05-20');
  });

  it('is empty where nothing fits or nothing is found', () => {
    expect(keyFacts('order ZX-88121', 4, 'chars', count)).toBe('');
    expect(keyFacts('nothing here at all', 100, 'chars', count)).toBe('');
    expect(keyFacts('order ZX-88121', -3, 'chars', count)).toBe('');
  });

  it('stays within its limit and on its line', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(200), (text, max) => {
        const line = keyFacts(text, max, 'chars', count);
        expect(count(line, 'chars')).toBeLessThanOrEqual(max);
        expect(line).not.toMatch(/[\n\r]/);
      }),
    );
  });
});
