import { BODY_CLASSES, badBodies, type BodyCase } from './body-mutations.js';
import { accepts, type JsonSchema } from './json-schema.js';

const schema: JsonSchema = {
  type: 'object',
  properties: {
    role: { type: 'string', enum: ['user', 'tool'] },
    content: {
      anyOf: [
        { type: 'string' },
        {
          type: 'array',
          maxItems: 2,
          items: {
            type: 'object',
            properties: { text: { type: 'string' } },
            required: ['text'],
            additionalProperties: false,
          },
        },
      ],
    },
    limit: { type: 'integer', minimum: 1, maximum: 9 },
    metadata: { type: 'object', additionalProperties: {} },
    loose: { type: 'object', properties: { a: { type: 'boolean' } } },
  },
  required: ['role'],
  additionalProperties: false,
};
const body = { role: 'user' };
const cases = badBodies({ schema, body, freeText: ['content', 'text'] });
const labelled = (label: string): BodyCase | undefined => cases.find((each) => each.label === label);
const labelsOf = (kind: string) => cases.filter((each) => each.class === kind).map(({ label }) => label);

describe('bad bodies', () => {
  it('are the same each time, of every class, and differ from each other', () => {
    expect(badBodies({ schema, body, freeText: ['content', 'text'] })).toEqual(cases);
    expect([...new Set(cases.map((each) => each.class))].sort()).toEqual([...BODY_CLASSES].sort());
    expect(new Set(cases.map(({ text }) => text)).size).toBe(cases.length);
    expect(cases.map(({ text }) => text)).not.toContain(JSON.stringify(body));
  });

  it('have wrong types at every place of the schema, at any depth', () => {
    const places = new Set(labelsOf('wrong types').map((label) => label.split(':')[0]));
    expect([...places].sort()).toEqual([
      'body',
      'body.content',
      'body.content.0',
      'body.content.0.text',
      'body.limit',
      'body.loose',
      'body.loose.a',
      'body.metadata',
      'body.role',
    ]);
  });

  it('leave out each field that is required', () => {
    expect(labelsOf('missing fields')).toEqual(['body: without role', 'body.content.0: without text']);
  });

  it('may hold more only where the schema is open', () => {
    expect(labelled('body: an unknown number')?.refused).toBe(true);
    expect(labelled('body.content.0: an unknown number')?.refused).toBe(true);
    expect(labelled('body.metadata: an unknown number')?.refused).toBe(false);
    expect(labelled('body.loose: an unknown number')?.refused).toBe(false);
  });

  it('step over each bound', () => {
    expect(labelsOf('out of range')).toEqual(
      expect.arrayContaining([
        'body.role: something of no list',
        'body.limit: below the minimum',
        'body.limit: above the maximum',
        'body.content: too long a list',
      ]),
    );
  });

  it('hold numbers that a reader would change, everywhere', () => {
    expect(labelled('body.metadata.surprise: 1e400')).toMatchObject({
      refused: true,
      text: '{"role":"user","metadata":{"surprise":1e400}}',
    });
    expect(labelled('body.limit: -0')?.text).toBe('{"role":"user","limit":-0}');
    expect(labelled('body.loose.a: nested lists')?.refused).toBe(true);
  });

  it('hold texts that no store keeps: refused, but for free text', () => {
    expect(labelled('body.metadata.surprise: NUL')?.refused).toBe(true);
    expect(labelled('body.metadata: a lone high surrogate in a key')?.refused).toBe(true);
    expect(labelled('body.content: NUL')?.refused).toBe(false);
    expect(labelled('body.content.0.text: a lone low surrogate')?.refused).toBe(false);
    expect(labelled('body.loose: NUL in a key')?.refused).toBe(false);
  });

  it('hold the keys of prototypes; __proto__ has to be refused', () => {
    expect(labelled('body.metadata: the key __proto__')).toMatchObject({
      refused: true,
      text: '{"role":"user","metadata":{"__proto__":1}}',
    });
    expect(labelled('body.metadata: the key constructor')?.refused).toBe(false);
    expect(labelled('body: the key constructor')?.refused).toBe(true);
  });

  it('are refused for a shape that the schema does not take', () => {
    const byShape = ['wrong types', 'missing fields', 'out of range'];
    const shapes = cases.filter((each) => byShape.includes(each.class));
    expect(shapes.length).toBeGreaterThan(50);
    expect(shapes.filter(({ text }) => accepts(schema, JSON.parse(text)))).toEqual([]);
    expect(shapes.filter(({ refused }) => !refused)).toEqual([]);
  });
});
