import * as fc from 'fast-check';
import { exampleOf } from './example-value.js';
import { accepts, unknownKeywords, type JsonSchema } from './json-schema.js';

const run: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 3 },
    count: { type: 'integer', minimum: 1, maximum: 5 },
    tags: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 2 },
    either: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    one: { oneOf: [{ type: 'number' }, { type: 'integer' }] },
    mode: { type: 'string', enum: ['a', 'b'] },
    nullable: { type: ['string', 'null'] },
  },
  required: ['name'],
  additionalProperties: false,
};

describe('accepts', () => {
  it.each([
    [{ name: 'a' }],
    [{ name: 'abc', count: 5, tags: ['x', 'y'], either: null, one: 1.5, mode: 'b', nullable: null }],
    [{ name: '\u{1F4A5}\u{1F4A5}\u{1F4A5}' }],
  ])('takes %j', (value) => expect(accepts(run, value)).toBe(true));

  it.each([
    [null],
    [[]],
    ['a'],
    [{}],
    [{ name: '' }],
    [{ name: 'abcd' }],
    [{ name: 'a', count: 0 }],
    [{ name: 'a', count: 6 }],
    [{ name: 'a', count: 1.5 }],
    [{ name: 'a', count: '1' }],
    [{ name: 'a', tags: [] }],
    [{ name: 'a', tags: ['x', 'y', 'z'] }],
    [{ name: 'a', tags: [1] }],
    [{ name: 'a', either: 1 }],
    [{ name: 'a', one: 1 }],
    [{ name: 'a', mode: 'c' }],
    [{ name: 'a', nullable: 1 }],
    [{ name: 'a', surprise: 1 }],
    [JSON.parse('{ "name": "a", "__proto__": 1 }')],
    [JSON.parse('{ "__proto__": { "name": "a" } }')],
    [{ name: 'a', constructor: 1 }],
  ])('refuses %j', (value) => expect(accepts(run, value)).toBe(false));

  it('takes any member of an open object, and those that fit of a record', () => {
    const numbers = { type: 'object', additionalProperties: { type: 'number' } };
    expect(accepts({ type: 'object' }, { a: 1 })).toBe(true);
    expect(accepts(numbers, { a: 1 })).toBe(true);
    expect(accepts(numbers, { a: 'x' })).toBe(false);
    expect(accepts({ ...numbers, propertyNames: { pattern: '^a$' } }, { b: 1 })).toBe(false);
    expect(accepts({ allOf: [numbers, { required: ['a'] }] }, {})).toBe(false);
    expect(accepts({ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0)).toBe(false);
    expect(accepts({ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.5)).toBe(true);
  });

  it('knows what it would pass over', () => {
    expect(unknownKeywords(run)).toEqual([]);
    const odd = { items: { anyOf: [{ not: {} }] }, properties: { a: { multipleOf: 2 } } };
    expect(unknownKeywords(odd as JsonSchema)).toEqual(['multipleOf', 'not']);
  });
});

describe('exampleOf', () => {
  const leaf = fc.oneof(
    fc.record({ type: fc.constant('string'), minLength: fc.nat(5) }),
    fc.record({ type: fc.constantFrom('integer', 'number'), minimum: fc.integer() }),
    fc.record({ type: fc.constantFrom('boolean', 'null') }),
    fc.record({ const: fc.constantFrom('a', 1, true) }),
    fc.record({ enum: fc.constantFrom(['a', 'b'], [1, 2]) }),
    fc.constant({}),
  ) as fc.Arbitrary<JsonSchema>;
  const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
    schema: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.record({
        type: fc.constant('object'),
        properties: fc.record({ a: tie('schema'), b: tie('schema') }),
        required: fc.subarray(['a', 'b']),
      }),
      fc.record({ type: fc.constant('array'), items: tie('schema'), minItems: fc.nat(2) }),
      fc.record({ anyOf: fc.tuple(tie('schema'), tie('schema')) }),
    ),
  }));

  it('fits its schema', () => {
    fc.assert(fc.property(schema, (each) => accepts(each, exampleOf(each))));
  });

  it('finds a text that fits a pattern', () => {
    const runId = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,96}$' };
    expect(accepts(runId, exampleOf(runId))).toBe(true);
  });
});
