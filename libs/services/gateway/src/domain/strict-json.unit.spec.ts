import * as fc from 'fast-check';
import { parseStrictJson } from './strict-json.js';

describe('strict JSON', () => {
  it.each([
    '0',
    '-1',
    '1.5',
    '1e3',
    '9007199254740991',
    '-9007199254740991',
    '0.0',
    '0e99',
    '1e-7',
    '{"a":[1,{"b":2}]}',
  ])('takes %s', (text) => expect(parseStrictJson(text)).toEqual(JSON.parse(text)));

  it.each([
    '-0',
    '[-0.0]',
    '{"a":-0e5}',
    '9007199254740992',
    '-9007199254740993',
    '1e20',
    '1e400',
    '-1e400',
    '1e-400',
  ])('refuses %s', (text) => expect(() => parseStrictJson(text)).toThrow(/cannot be kept exactly/));

  it.each(['"1e400"', '{"-0":"-0"}', '"a\\"-0"', '"\\\\"', '["\\\\\\"", "9007199254740993"]'])(
    'leaves text alone: %s',
    (text) => expect(parseStrictJson(text)).toEqual(JSON.parse(text)),
  );

  it.each([
    '{"__proto__":1}',
    '[{"a":{"b":1,"__proto__" : {}}}]',
    '{"\\u005f_proto__":1}',
    '{"\\u005F\\u005f\\u0070roto__"\n:1}',
  ])('refuses %s, which would be lost', (text) =>
    expect(() => parseStrictJson(text)).toThrow(/key __proto__/),
  );

  it.each([
    '"__proto__"',
    '{"a":"__proto__"}',
    '["__proto__",1]',
    '{"__proto":1,"\\"__proto__":2}',
    '{"constructor":1}',
  ])('takes %s, which would not', (text) => expect(parseStrictJson(text)).toEqual(JSON.parse(text)));

  it('never repeats what it could not read', () => {
    const failure = (text: string) => {
      try {
        parseStrictJson(text);
      } catch (error) {
        return error;
      }
      return undefined;
    };
    const error = failure('{"password": hunter2}');
    expect(error).toMatchObject({ code: 'validation_error' });
    expect(JSON.stringify([String(error), error])).not.toMatch(/hunter/);
  });

  it('bounds the depth', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(() => parseStrictJson(nested(64))).not.toThrow();
    expect(() => parseStrictJson(nested(65))).toThrow(/64 levels/);
    expect(() => parseStrictJson(nested(200_000))).toThrow();
  });

  it('bounds the number of values', () => {
    const list = (length: number) => `[${'1,'.repeat(length - 1)}1]`;
    expect(parseStrictJson(list(200_000))).toHaveLength(200_000);
    expect(() => parseStrictJson(list(200_001))).toThrow(
      expect.objectContaining({ code: 'payload_too_large' }),
    );
  });

  it('agrees with JSON.parse on everything it takes', () => {
    const value = fc.jsonValue({ maxDepth: 5, noUnicodeString: false });
    fc.assert(
      fc.property(value, (each) => {
        const text = JSON.stringify(each);
        let taken: unknown;
        try {
          taken = parseStrictJson(text);
        } catch {
          return true;
        }
        return JSON.stringify(taken) === text;
      }),
    );
  });
});
