import { bearerToken, keyFrom, keyIdOf } from './api-key.js';
import { idempotencyKeyOf } from './idempotency-key.js';
import { canonicalBody } from './request-digest.js';

describe('API keys', () => {
  it('have a public part and 256 secret bits', () => {
    const key = keyFrom(Uint8Array.from({ length: 44 }, (_, index) => index * 5));
    expect(key).toMatch(/^pal_[A-Za-z0-9]{12}_[A-Za-z0-9_-]{43}$/);
    expect(keyIdOf(key)).toBe(key.slice(4, 16));
    expect(keyIdOf(`${key}x`)).toBeUndefined();
    expect(keyIdOf('pal_')).toBeUndefined();
  });

  it('tell by how they begin what they are for', () => {
    const random = Uint8Array.from({ length: 44 }, (_, index) => index * 5);
    const [live, test] = [keyFrom(random), keyFrom(random, 'test')];
    expect(test).toMatch(/^pal_test_[A-Za-z0-9]{12}_[A-Za-z0-9_-]{43}$/);
    expect(live).not.toMatch(/^pal_test_/);
    expect(keyIdOf(test)).toBe(keyIdOf(live));
    expect(keyIdOf(test.replace('test', 'TEST'))).toBeUndefined();
  });

  it.each([
    ['Bearer abc', 'abc'],
    ['bearer  abc ', 'abc'],
    ['Basic abc', undefined],
    ['Bearer a b', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('are taken from %p', (header, token) => expect(bearerToken(header)).toBe(token));
});

describe('idempotency keys', () => {
  it.each(['a', 'A-Z_0.9~', 'k'.repeat(255)])('take %p', (key) => expect(idempotencyKeyOf(key)).toBe(key));
  it.each(['', 'a b', 'é', 'k'.repeat(256), 'a:b', 'a\u0000'])('refuse %p', (key) => {
    expect(() => idempotencyKeyOf(key)).toThrow(expect.objectContaining({ code: 'validation_error' }));
  });
  it('are not asked for', () => expect(idempotencyKeyOf(undefined)).toBeUndefined());
});

describe('the body a key stands for', () => {
  it('is the same in any order of keys, and another with any other value', () => {
    expect(canonicalBody({ b: [1, { d: 1, c: 2 }], a: null })).toBe(
      canonicalBody({ a: null, b: [1, { c: 2, d: 1 }] }),
    );
    expect(canonicalBody([1, 2])).not.toBe(canonicalBody([2, 1]));
    expect(canonicalBody({ a: '1' })).not.toBe(canonicalBody({ a: 1 }));
    expect(canonicalBody('\ud800')).not.toBe(canonicalBody('\ud801'));
    expect(canonicalBody(undefined)).toBe('');
  });
});
