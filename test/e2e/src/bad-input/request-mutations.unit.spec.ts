import { accepts } from './json-schema.js';
import { methodsAt, operationsOf } from './openapi.js';
import { badQueries } from './query-mutations.js';
import { wholeBodies } from './whole-bodies.js';

describe('whole bodies', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
  const bodies = wholeBodies(schema, { a: 'x' }, { required: true, largest: 100 });

  it('are no JSON where they say so', () => {
    const taken = bodies.filter(({ refused, bytes }) => {
      try {
        const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(bytes));
        return refused && Buffer.byteLength(bytes) <= 100 && accepts(schema, JSON.parse(text));
      } catch {
        return false;
      }
    });
    expect(taken).toEqual([]);
  });

  it('go beyond the limit by one byte', () => {
    const large = bodies.find(({ label }) => label === 'a body above the limit');
    expect(Buffer.byteLength(large?.bytes ?? '')).toBe(101);
    expect(JSON.parse(String(large?.bytes))).toEqual({ a: 'x' });
  });

  it('hold a key twice', () => {
    const twice = bodies.find(({ label }) => label === 'a key twice');
    expect(twice).toMatchObject({ bytes: '{"a":"x","a":"x"}', refused: false });
  });
});

describe('bad queries', () => {
  const cases = badQueries([{ name: 'limit', schema: { type: 'string', pattern: '^\\d{1,3}$' } }], {
    limit: '5',
    format: 'openai',
  });
  const labelled = (label: string) => cases.find((each) => each.label === label);

  it('leave the other parameters as they are', () => {
    expect(labelled('query.limit: a word')).toEqual({
      label: 'query.limit: a word',
      query: 'format=openai&limit=of-no-list',
      refused: true,
    });
    expect(labelled('query.limit: given twice')).toMatchObject({
      query: 'format=openai&limit=5&limit=5',
      refused: true,
    });
  });

  it('are refused for what the schema does not take, or what is no text', () => {
    expect(labelled('query.limit: NUL')).toMatchObject({ query: 'format=openai&limit=a%00', refused: true });
    expect(labelled('query.limit: a surrogate')?.refused).toBe(true);
    expect(labelled('query: surprise=1')).toMatchObject({
      query: 'limit=5&format=openai&surprise=1',
      refused: false,
    });
  });
});

describe('operations of a document', () => {
  const error = { description: 'not_found, validation_error' };
  const operations = operationsOf({
    paths: {
      '/v1/runs/{runId}': {
        get: {
          operationId: 'readRun',
          description: 'Reads.\n\nScopes of the key: runs:read, runs:create.',
          parameters: [{ name: 'runId', in: 'path', schema: {} }],
          responses: { 200: { content: { 'text/event-stream': {} } }, 404: error },
        },
        delete: { operationId: 'removeRun', security: [], responses: {} },
      },
    },
  });

  it('know what they take and may answer', () => {
    expect(operations).toMatchObject([
      {
        id: 'readRun',
        method: 'GET',
        secured: true,
        scopes: ['runs:read', 'runs:create'],
        pathParameters: ['runId'],
        streams: true,
      },
      { id: 'removeRun', method: 'DELETE', secured: false, scopes: [] },
    ]);
    expect(operations[0]?.errors.get(404)).toEqual(['not_found', 'validation_error']);
  });

  it('share a path', () => {
    expect(methodsAt(operations, '/v1/runs/{runId}')).toEqual(['DELETE', 'GET', 'HEAD']);
  });
});
