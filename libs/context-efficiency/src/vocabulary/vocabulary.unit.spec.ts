import { isCorpusId, isDigest } from './identifiers.js';
import { sortedReasons } from './reasons.js';
import { REASONS } from './words.js';

const HEX64 = 'a'.repeat(64);

describe('shared vocabularies (§2)', () => {
  it('sorts reasons by the contract, each once', () => {
    expect(sortedReasons([...REASONS].reverse())).toEqual(REASONS);
    expect(sortedReasons(['NESTING_LIMIT', 'BLOCKING', 'NESTING_LIMIT'])).toEqual([
      'BLOCKING',
      'NESTING_LIMIT',
    ]);
  });

  it.each([
    ['anon-', 15, false],
    ['anon-', 16, true],
    ['anon-', 64, true],
    ['anon-', 65, false],
  ])('bounds an anonymous corpus id: %s and %d digits', (prefix, digits, expected) => {
    expect(isCorpusId(prefix + 'f'.repeat(digits))).toBe(expected);
  });

  it.each([
    ['small-tier2-07', true],
    ['backend-refactor-12', true],
    ['ui-integration-00', true],
    ['security-compliance-99', true],
    ['recovery-invalidation-10', true],
    ['backend-refactor-1', false],
    ['backend-refactor-123', false],
    ['backend-refactor-12\n', false],
    ['Backend-refactor-12', false],
    [' backend-refactor-12', false],
    ['frontend-12', false],
    [`anon-${'F'.repeat(16)}`, false],
    ['backend-refactor-１２', false],
    [12, false],
    [null, false],
  ])('takes %p for a corpus id: %p', (value, expected) => expect(isCorpusId(value)).toBe(expected));

  it.each([
    [`sha256:${HEX64}`, true],
    [`sha256:${HEX64.slice(1)}`, false],
    [`sha256:${HEX64}a`, false],
    [`sha256:${HEX64}\n`, false],
    [`sha256:${HEX64.toUpperCase()}`, false],
    [HEX64, false],
    [`SHA256:${HEX64}`, false],
  ])('takes %p for a digest: %p', (value, expected) => expect(isDigest(value)).toBe(expected));
});
