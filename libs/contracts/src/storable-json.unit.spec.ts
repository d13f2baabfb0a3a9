import { isStorableJson, storableJsonObjectSchema, storableTextSchema } from './storable-json.js';

describe('text that every store keeps', () => {
  it.each([
    ['plain', 'abc'],
    ['a pair of surrogates', '👍'],
    ['the literal spelling of an escape', '\\u0000'],
    ['empty', ''],
    ['control characters', '\u0001\u001f\u2028'],
  ])('%s', (_, text) => {
    expect(storableTextSchema.safeParse(text).success).toBe(true);
  });

  it.each([
    ['NUL', 'a\u0000b'],
    ['a lone high surrogate', 'a\ud83d'],
    ['a lone low surrogate', '\udc4da'],
    ['reversed surrogates', '\udc4d\ud83d'],
  ])('is not %s, at any depth, as value or key', (_, text) => {
    expect(storableTextSchema.safeParse(text).success).toBe(false);
    expect(isStorableJson({ a: [{ b: text }] })).toBe(false);
    expect(isStorableJson([{ [text]: null }])).toBe(false);
    expect(storableJsonObjectSchema.safeParse({ a: [{ b: text }] }).success).toBe(false);
  });
});
