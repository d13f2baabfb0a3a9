import { messageDraftSchema, runQuerySchema } from '@palimpsest/contracts';
import { parseAnswer, parseRequest } from './parse-with.js';

const SECRET = 'what was said';

function refusalOf(parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    return error;
  }
}

describe('parsing', () => {
  it('gives what fits', () => {
    const query = { tenantId: 'acme', runId: 'run-1' };
    expect(parseRequest(runQuerySchema, query)).toEqual(query);
    expect(parseAnswer(runQuerySchema, query, 'a.subject')).toEqual(query);
  });

  it.each([
    ['a value', { tenantId: 'acme', runId: SECRET }, 'runId'],
    ['a missing field', { tenantId: 'acme' }, 'runId'],
    ['no object', SECRET, '(body)'],
  ])('names the field of a request that does not fit, never the value: %s', (_, body, field) => {
    const refusal = refusalOf(() => parseRequest(runQuerySchema, body));
    expect(refusal).toMatchObject({ code: 'validation_error', details: { field } });
    expect(JSON.stringify([refusal, (refusal as Error).message])).not.toContain(SECRET);
  });

  it('names a nested place', () => {
    const draft = { role: 'user', artifactId: SECRET, toolCallIds: [], repaired: false };
    expect(refusalOf(() => parseRequest(messageDraftSchema.array(), [draft]))).toMatchObject({
      details: { field: '0.artifactId' },
    });
  });

  it('blames the service for an answer that does not fit', () => {
    expect(refusalOf(() => parseAnswer(runQuerySchema, {}, 'a.subject'))).toMatchObject({
      code: 'internal_error',
      details: { subject: 'a.subject', field: 'tenantId' },
    });
  });
});
