import { digestOf } from '../hashing/digests.js';
import { canonicalJson } from './canonical-json.js';

const canonical = (text: string): string => canonicalJson(JSON.parse(text));

describe('canonicalJson (§2.2)', () => {
  it.each([
    ['{"b":1,"a":[{"z":1,"y":-0}]}', '{"a":[{"y":0,"z":1}],"b":1}'],
    ['{"10":1,"9":2,"1":3}', '{"1":3,"10":1,"9":2}'],
    ['{"\\ud83d\\ude00":1,"\\ufb33":2,"\\u20ac":3,"a":4,"A":5}', '{"A":5,"a":4,"€":3,"😀":1,"\ufb33":2}'],
    [
      '[1.0,1e21,1e20,1e-7,0.000001,333333333.33333329,-0]',
      '[1,1e+21,100000000000000000000,1e-7,0.000001,333333333.3333333,0]',
    ],
    [
      '"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f\\"\\\\\\/\\u007f\\u2028"',
      '"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f\\"\\\\/\u007f\u2028"',
    ],
    ['"\\ud800 and \\udfff"', '"\\ud800 and \\udfff"'],
    ['{"__proto__":{"b":1,"a":2},"constructor":3}', '{"__proto__":{"a":2,"b":1},"constructor":3}'],
    ['{"a":1,"a":2}', '{"a":2}'],
    [' [ null , true , false , "" ] ', '[null,true,false,""]'],
  ])('writes %s', (text, expected) => expect(canonical(text)).toBe(expected));

  it('does not normalise Unicode', () => {
    const [composed, decomposed] = ['caf\u00e9', 'cafe\u0301'];
    expect(composed.normalize()).toBe(decomposed.normalize());
    expect(digestOf(canonicalJson(composed))).not.toBe(digestOf(canonicalJson(decomposed)));
  });

  it('hashes the UTF-8 bytes: golden digests', () => {
    expect(digestOf(canonical('{"b":1,"a":[{"z":1,"y":-0}]}'))).toBe(
      'sha256:5fea3e89a2c88cc73a6912d6ed9d984d8c35763b581d9c9e382bb6337ca4e4c0',
    );
    expect(digestOf(canonical('{"€":"😀\\u2028"}'))).toBe(
      'sha256:214e0e0b4a48d4fe5bed27d71359352c67ddbb5cb10047184acc8ea70e5426c2',
    );
  });

  it('refuses numbers beyond doubles', () => expect(() => canonical('[1e999]')).toThrow());
});
