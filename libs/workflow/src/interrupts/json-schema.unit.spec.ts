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
