import type { JsonObject, JsonValue } from '@palimpsest/contracts';
import { schemaCheckOf, schemaProblemOf } from './json-schema.js';

describe('a JSON Schema', () => {
  it('of 2020-12 tells the first place that does not fit', () => {
    const schema = {
      type: 'object',
      properties: { pair: { prefixItems: [{ type: 'string' }, { type: 'integer' }] } },
      required: ['pair'],
    };
    expect(schemaProblemOf(schema, { pair: ['a', 1] })).toBeUndefined();
    expect(schemaProblemOf(schema, { pair: ['a', 'b'] })).toEqual({ path: 'pair.1', keyword: 'type' });
    expect(schemaProblemOf(schema, {})).toEqual({ path: 'pair', keyword: 'required' });
    expect(schemaProblemOf(schema, 1)).toEqual({ path: '', keyword: 'type' });
  });

  it('keeps its patterns apart', () => {
    const schema = {
      type: 'object',
      properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' } },
    };
    expect(schemaProblemOf(schema, { a: 'a', b: 'b' })).toBeUndefined();
    expect(schemaProblemOf(schema, { a: 'b', b: 'b' })).toEqual({ path: 'a', keyword: 'pattern' });
  });

  it('that does not compile lets nothing pass', () => {
    expect(schemaCheckOf({ type: 'strange' })).toBeUndefined();
    expect(schemaProblemOf({ type: 'strange' }, 1)).toEqual({ path: '', keyword: 'schema' });
    expect(schemaCheckOf({ $ref: 'https://example.com/schema' })).toBeUndefined();
  });

  it('that refers to itself without end lets nothing pass', () => {
    expect(schemaProblemOf({ $ref: '#' }, 1)).toEqual({ path: '', keyword: 'schema' });
  });

  it('may share its id with another one', () => {
    expect(schemaProblemOf({ $id: 'urn:example:x', type: 'string' }, 1)).toBeDefined();
    expect(schemaProblemOf({ $id: 'urn:example:x', type: 'integer' }, 1)).toBeUndefined();
  });
});

describe('a check that takes too long', () => {
  const nested = (levels: number, value: JsonValue): JsonValue =>
    levels === 0 ? value : nested(levels - 1, { a: value });
  const doubled = (reference: string) => ({ allOf: [{ $ref: reference }, { $ref: reference }] });
  const chain = (place: string, levels: number): JsonObject => {
    const links = Array.from({ length: levels }, (_, level) => [
      `a${level}`,
      level + 1 === levels ? { type: 'object' } : doubled(`#/${place}/a${level + 1}`),
    ]);
    return { [place]: Object.fromEntries(links) as JsonObject, $ref: `#/${place}/a0` };
  };

  it('with every level of the value twice as long lets nothing pass', () => {
    const level = { additionalProperties: { $ref: '#/$defs/level' } };
    const schema = { $defs: { level: { allOf: [level, level] } }, $ref: '#/$defs/level' };
    expect(schemaProblemOf(schema, nested(5, {}))).toBeUndefined();
    expect(schemaProblemOf(schema, nested(60, {}))).toEqual({ path: '', keyword: 'schema' });
  });

  it.each(['$defs', 'definitions', 'elsewhere'])(
    'with every level of the schema, in %s, neither',
    (place) => {
      expect(schemaProblemOf(chain(place, 5), {})).toBeUndefined();
      expect(schemaProblemOf(chain(place, 60), {})).toEqual({ path: '', keyword: 'schema' });
    },
  );

  it('begins anew with the next value', () => {
    const schema = { items: { type: 'integer' } };
    const values = Array.from({ length: 20_000 }, (_, place) => place);
    for (let turn = 0; turn < 40; turn += 1) expect(schemaProblemOf(schema, values)).toBeUndefined();
  });

  it('where references lead to what is a value in one place and a schema in another does not compile', () => {
    expect(schemaCheckOf({ default: chain('$defs', 60), $ref: '#/default' })).toBeUndefined();
    expect(schemaCheckOf({ const: { a: {} }, $ref: '#/const/a' })).toBeUndefined();
    expect(schemaCheckOf({ x: { properties: { y: {} } }, $ref: '#/x/properties' })).toBeUndefined();
    expect(
      schemaCheckOf({ properties: { default: { type: 'string' } }, $ref: '#/properties/default' }),
    ).toBeDefined();
  });

  it('for many different items does not compare each with each', () => {
    const schema = { uniqueItems: true };
    const values = Array.from({ length: 20_000 }, (_, place) => [place]);
    expect(schemaProblemOf(schema, values)).toBeUndefined();
    expect(schemaProblemOf(schema, [...values, [7]])).toEqual({ path: '', keyword: 'uniqueItems' });
    expect(
      schemaProblemOf(schema, [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ]),
    ).toEqual({ path: '', keyword: 'uniqueItems' });
    expect(schemaProblemOf(schema, [1, '1', true, 'true', null])).toBeUndefined();
    expect(schemaProblemOf({ uniqueItems: false }, [1, 1])).toBeUndefined();
  });

  it('for a pattern of many repetitions in a long text lets nothing pass', () => {
    const schema = { pattern: '(x|y|z|x|y|z){300}$' };
    expect(schemaProblemOf(schema, 'x'.repeat(400))).toBeUndefined();
    expect(schemaProblemOf(schema, 'x'.repeat(40_000))).toEqual({ path: '', keyword: 'schema' });
  });

  it('to compile is refused', () => {
    expect(schemaCheckOf({ description: 'x'.repeat(33_000) })).toBeUndefined();
  });
});
