// Host specification §2.2: closed and flat. The rule on vectors of our own, then on errors provoked from the host.
import { envelopeProblems } from '../client/expectations.js';
import type { RequestParts } from '../client/host.js';
import { pathOf } from '../client/runs.js';
import type { Scenario } from '../scenario.js';

const ENVELOPES = [
  { error: 'not_found', message: 'No such run.' },
  { error: 'validation_error', message: 'inputs.nonce is required', details: { field: 'inputs.nonce' } },
  { error: 'rate_limited', message: 'Slow down.', details: {} },
];

const OTHERS = [
  {},
  { error: 'not_found' },
  { message: 'No such run.' },
  { error: '', message: 'No code.' },
  { error: 'not_found', message: '' },
  { error: { code: 'not_found' }, message: 'Nested.' },
  { error: 404, message: 'A number.' },
  { error: 'not_found', message: 'Null details.', details: null },
  { error: 'not_found', message: 'A list of details.', details: [] },
  { error: 'forbidden', message: 'Stray.', scopeRequired: 'runs:read' },
  { error: 'not_found', message: 'Stray.', statusCode: 404 },
  ['not_found'],
  'not_found',
  null,
];

const PROVOKED: readonly (readonly [string, string, RequestParts])[] = [
  ['GET', pathOf('run-that-nobody-has'), {}],
  ['GET', pathOf('run-that-nobody-has'), { bare: true }],
  ['GET', pathOf('run-that-nobody-has', '/events'), {}],
  ['GET', pathOf('run-that-nobody-has', '/events/poll?lastSequence=x'), {}],
  ['GET', pathOf('run-that-nobody-has', '/artifacts/nothing'), {}],
  ['GET', pathOf('%00'), {}],
  ['GET', '/v1/workflows/no-such-workflow', {}],
  ['GET', '/v1/interrupts/no-such-token', { bare: true }],
  ['GET', '/v1/no-such-route', {}],
  ['GET', '/runs', {}],
  ['DELETE', '/v1/runs', {}],
  ['POST', '/v1/runs', { body: {} }],
  ['POST', '/v1/runs', { rawBody: '{' }],
  ['POST', '/v1/runs', { rawBody: '<run/>', headers: { 'content-type': 'application/xml' } }],
  ['POST', '/v1/runs:bulk-cancel', { body: {} }],
];

export const scenario: Scenario = {
  name: 'error-envelope-canonical-shape',
  tests(host) {
    it.each(ENVELOPES)('takes %j for an envelope', (body) => expect(envelopeProblems(body)).toEqual([]));

    it.each(OTHERS.map((body) => [body]))('takes %j for none', (body) =>
      expect(envelopeProblems(body)).not.toEqual([]),
    );

    it.each(PROVOKED)('has it from %s %s, %j', async (method, path, parts) => {
      const answer = await host.request(method, path, parts);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect(envelopeProblems(answer.json)).toEqual([]);
    });
  },
};
