import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '@palimpsest/contracts';
import { askedRequest, type AskedOfModel } from './asked-request.js';
import { canonicalSemanticRequest } from './semantic-request.js';

type Vector = {
  readonly name: string;
  readonly request: JsonObject;
  readonly canonical: string;
  readonly key: string;
};

/** Their canonical bytes were written by hand, and hashed by another program. */
const VECTORS = JSON.parse(
  readFileSync(fileURLToPath(new URL('./semantic-request.vectors.json', import.meta.url)), 'utf8'),
) as readonly Vector[];

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const plain: JsonObject = { provider: 'p', model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const plainText = canonicalSemanticRequest(plain);

/** Host specification §6.8. */
describe('the cache key of a request to a model', () => {
  it.each(VECTORS.map((vector) => [vector.name, vector] as const))('%s', (_name, vector) => {
    const text = canonicalSemanticRequest(vector.request);
    expect(text).toBe(vector.canonical);
    expect(sha256(text)).toBe(vector.key);
  });

  it('has those of the specification among its vectors', () => {
    const keys = VECTORS.map(({ key }) => key);
    expect(keys).toContain('771933283aeb73f6d24e0ed62288312b6251d0bbe21b790710a2abdc5b4ccac2');
    expect(keys).toContain('b6daa8b5e12d24406044efccfec0e3c6af8c1bb2f14f8562eeaacc899cfa5520');
    expect(new Set(VECTORS.map(({ name }) => name)).size).toBe(VECTORS.length);
  });

  it.each([
    [{ ...plain, provider: undefined }, 'provider'],
    [{ ...plain, provider: 7 }, 'provider'],
    [{ ...plain, model: '' }, 'model'],
    [{ ...plain, messages: [] }, 'messages'],
    [{ ...plain, messages: 'hi' }, 'messages'],
    [{ ...plain, messages: { 0: 'hi', length: 1 } }, 'messages'],
    [{}, 'provider'],
    [[], 'body'],
    [null, 'body'],
    ['text', 'body'],
    [undefined, 'body'],
  ])('needs provider, model and messages: %j', (body, field) => {
    expect(() => canonicalSemanticRequest(body as JsonObject)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', details: { field } }),
    );
  });

  it.each([
    ['a number beyond all', '{"temperature":1e400}'],
    ['such a number inside', '{"messages":[{"content":1e400}]}'],
    ['half of a pair in a text', '{"messages":[{"content":"\\ud800"}]}'],
    ['half of a pair in a name', '{"messages":[{"\\udc00":1}]}'],
    ['half of a pair in an option', '{"effort":"\\ud800"}'],
    ['a nesting nobody can follow', `{"messages":[${'['.repeat(100)}${']'.repeat(100)}]}`],
  ])('is none of %s', (_what, members) => {
    const body = { ...plain, ...(JSON.parse(members) as JsonObject) };
    expect(() => canonicalSemanticRequest(body)).toThrow(
      expect.objectContaining({ code: 'validation_error' }),
    );
  });

  it('takes a negative zero for zero', () => {
    const of = (temperature: number) => canonicalSemanticRequest({ ...plain, temperature });
    expect(of(-0)).toBe(of(0));
    expect(of(-0)).toContain('"temperature":0}');
  });

  it('keeps a member of the name __proto__', () => {
    const said = JSON.parse('{"__proto__":{"a":1}}') as JsonObject;
    const option = canonicalSemanticRequest({ ...said, ...plain });
    expect(option).toContain('"providerOptions":{"vendor.p.__proto__":{"a":1}}');
    const text = canonicalSemanticRequest({ ...plain, messages: [said] });
    expect(text).toContain('"messages":[{"__proto__":{"a":1}}]');
  });

  it('is that of members of its own alone', () => {
    const inheriting = Object.assign(Object.create({ effort: 'high' }) as JsonObject, plain);
    expect(canonicalSemanticRequest(inheriting)).toBe(plainText);
  });

  it.each([
    { temperature: 0.6 },
    { topP: 1 },
    { stop: ['a'] },
    { model: 'm-3' },
    { provider: 'q' },
    { effort: 'deep' },
    { responseFormat: false },
    { messages: [...(plain['messages'] as JsonValue[]), { role: 'user', content: 'hi' }] },
  ])('depends on what is asked for: %j', (change) =>
    expect(canonicalSemanticRequest({ ...plain, ...change })).not.toBe(plainText),
  );
});

const text = fc.string({ unit: 'grapheme', maxLength: 8 });
const json = fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme' }) as fc.Arbitrary<JsonValue>;
const request: fc.Arbitrary<JsonObject> = fc.record(
  {
    provider: text.filter((name) => name !== ''),
    model: text.filter((name) => name !== ''),
    messages: fc.array(json, { minLength: 1, maxLength: 4 }),
    tools: fc.array(fc.record({ name: text, parameters: json }), { maxLength: 5 }),
    temperature: fc.double({ noNaN: true, noDefaultInfinity: true }),
    seed: fc.oneof(fc.integer(), fc.string()),
    stop: fc.oneof(text, fc.array(text)),
    responseFormat: json,
    providerOptions: fc.dictionary(text, json, { maxKeys: 3 }),
    effort: json,
  },
  { requiredKeys: ['provider', 'model', 'messages'] },
);

/** The same value with the members of every object in another order. */
function turned(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => turned(item));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value as JsonObject).map(
    ([name, member]) => [name, turned(member)] as const,
  );
  return Object.fromEntries<JsonValue>(members.reverse());
}

describe('any request', () => {
  it('has the same key whatever the order of its members', () => {
    fc.assert(
      fc.property(request, (body) => {
        expect(canonicalSemanticRequest(turned(body))).toBe(canonicalSemanticRequest(body));
      }),
    );
  });

  it('has the same key in whatever order tools of different names stand', () => {
    const tools = fc.uniqueArray(fc.record({ name: text, n: fc.integer() }), {
      selector: ({ name }) => name,
      minLength: 2,
      maxLength: 6,
    });
    fc.assert(
      fc.property(request, tools, (body, given) => {
        const of = (list: JsonValue) => canonicalSemanticRequest({ ...body, tools: list });
        expect(of([...given].reverse())).toBe(of(given));
      }),
    );
  });

  it('has another key with another message, and in another order of messages', () => {
    fc.assert(
      fc.property(request, json, (body, more) => {
        const messages = body['messages'] as readonly JsonValue[];
        const of = (list: JsonValue) => canonicalSemanticRequest({ ...body, messages: list });
        expect(of([...messages, more])).not.toBe(of(messages));
        expect(of([{ first: 1 }, { first: 2 }])).not.toBe(of([{ first: 2 }, { first: 1 }]));
      }),
    );
  });

  it('has the same key whoever asks', () => {
    const who = fc.record({
      tenantId: text,
      runId: text,
      metadata: json,
      stream: fc.boolean(),
      timeoutMs: fc.nat(),
      apiKey: text,
    });
    fc.assert(
      fc.property(request, who, (body, asker) => {
        expect(canonicalSemanticRequest({ ...body, ...asker })).toBe(canonicalSemanticRequest(body));
      }),
    );
  });
});

describe('a request of the port', () => {
  const asked: AskedOfModel = {
    system: 's',
    messages: [
      { role: 'user', text: 'u' },
      { role: 'assistant', text: 'a' },
    ],
    answer: { kind: 'object', name: 'n', schema: { type: 'object' }, check: { type: 'array' } },
    maxOutputTokens: 64,
    temperature: 0,
    seed: 7,
  };

  it('is said in the words of the recipe', () => {
    expect(askedRequest({ provider: 'p', model: 'm' }, asked)).toEqual({
      provider: 'p',
      model: 'm',
      messages: [
        { role: 'system', content: 's' },
        { role: 'user', content: 'u' },
        { role: 'assistant', content: 'a' },
      ],
      maxOutputTokens: 64,
      temperature: 0,
      seed: 7,
      responseFormat: { type: 'json_schema', name: 'n', schema: { type: 'object' } },
    });
  });

  it('has no member of what it does not say', () => {
    const { temperature: _, seed: __, ...rest } = asked;
    const said = askedRequest(
      { provider: 'p', model: 'm' },
      { ...rest, system: '', answer: { kind: 'text' } },
    );
    expect(Object.keys(said)).toEqual(['provider', 'model', 'messages', 'maxOutputTokens']);
    expect(said['messages']).toHaveLength(2);
  });
});
