import type { JsonValue } from '@palimpsest/contracts';
import { canonicalJson } from '@palimpsest/kernel';
import fc from 'fast-check';
import { isEqualJson } from './equal-json.js';

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;
const copy = (value: JsonValue) => JSON.parse(JSON.stringify(value)) as JsonValue;

describe('equality of JSON', () => {
  it('is that of canonical texts', () => {
    const pairs = fc.oneof(
      fc.tuple(json, json),
      json.map((value) => [value, copy(value)] as [JsonValue, JsonValue]),
    );
    fc.assert(
      fc.property(pairs, ([left, right]) => {
        const [one, other] = [copy(left), copy(right)];
        expect(isEqualJson(one, other)).toBe(canonicalJson(one) === canonicalJson(other));
      }),
    );
  });

  it.each<[JsonValue, JsonValue, boolean]>([
    [[1, [2]], [1, [2]], true],
    [[1, 2], [2, 1], false],
    [[1], [1, 2], false],
    [[], {}, false],
    [{}, [], false],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: null }, { b: null }, false],
    [{ toString: 1 }, { a: 1 }, false],
    [null, {}, false],
    [0, '', false],
  ])('%j and %j: %s', (left, right, equal) => {
    expect(isEqualJson(left, right)).toBe(equal);
  });
});
