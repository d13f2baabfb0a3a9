import fc from 'fast-check';
import type { JsonValue } from '@palimpsest/contracts';
import { canonicalJson } from './canonical-json.js';

describe('canonicalJson', () => {
  it('orders keys by UTF-16 units and leaves U+2028 as it is (RFC 8785 §3.2.3)', () => {
    const value = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '😀': 5, '\u0080': 6, ö: 7 };
    expect(canonicalJson(value)).toBe('{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}');
    expect(canonicalJson('\u2028')).toBe('"\u2028"');
  });

  it('writes numbers as RFC 8785 does', () => {
    expect(canonicalJson([-0, 1e21, 1e-7, 333333333.33333329, 4.5])).toBe(
      '[0,1e+21,1e-7,333333333.3333333,4.5]',
    );
  });

  it('leaves out undefined members and refuses what is no JSON', () => {
    expect(canonicalJson({ a: undefined, b: 1 } as unknown as JsonValue)).toBe('{"b":1}');
    for (const bad of [
      undefined,
      () => 1,
      1n,
      Symbol('x'),
      Number.NaN,
      '\ud800',
      ['\udfff'],
      { '\ud800': 1 },
    ])
      expect(() => canonicalJson(bad as JsonValue)).toThrow(
        expect.objectContaining({ code: 'validation_error' }),
      );
  });

  it('is the same for the same value, and read back is the value', () => {
    const json = fc.jsonValue({ noUnicodeString: false, maxDepth: 6 });
    fc.assert(
      fc.property(json, (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as JsonValue;
        fc.pre(JSON.stringify(plain).isWellFormed() && !/\\ud[89a-f]/i.test(JSON.stringify(plain)));
        const text = canonicalJson(plain);
        expect(JSON.parse(text)).toEqual(plain);
        expect(canonicalJson(reversedKeys(plain))).toBe(text);
      }),
    );
  });
});

function reversedKeys(value: JsonValue): JsonValue {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(reversedKeys);
  const members = Object.entries(value).map(([key, member]) => [key, reversedKeys(member)] as const);
  return Object.fromEntries(members.reverse());
}
