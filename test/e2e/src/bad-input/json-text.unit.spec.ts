import * as fc from 'fast-check';
import { jsonText, Literal, valueAt, withoutField, withValue } from './json-text.js';

describe('jsonText', () => {
  it('writes what JSON has', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => jsonText(value) === JSON.stringify(value)));
  });

  it('writes literals that no value stands for', () => {
    const value = { a: new Literal('1e400'), b: [new Literal('-0'), new Literal('{"c":[1]}')] };
    expect(jsonText(value)).toBe('{"a":1e400,"b":[-0,{"c":[1]}]}');
  });

  it('writes the key __proto__, NUL and lone surrogates', () => {
    const value = withValue({}, ['__proto__', 'a\u0000'], '\ud800');
    expect(jsonText(value)).toBe('{"__proto__":{"a\\u0000":"\\ud800"}}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});

describe('paths', () => {
  const body = { a: [{ b: 1, c: 2 }] };

  it('replace, add and remove in a copy', () => {
    expect(withValue(body, ['a', 0, 'b'], 3)).toEqual({ a: [{ c: 2, b: 3 }] });
    expect(withValue(body, ['d', 0], 3)).toEqual({ ...body, d: [3] });
    expect(withValue(body, [], 3)).toBe(3);
    expect(withoutField(body, ['a', 0], 'b')).toEqual({ a: [{ c: 2 }] });
    expect(body).toEqual({ a: [{ b: 1, c: 2 }] });
  });

  it('read own members only', () => {
    expect(valueAt(body, ['a', 0, 'c'])).toBe(2);
    expect(valueAt(body, ['a', 1, 'c'])).toBeUndefined();
    expect(valueAt(body, ['constructor'])).toBeUndefined();
  });
});
