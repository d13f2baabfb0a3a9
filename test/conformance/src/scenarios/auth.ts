// Host specification §2.1: who calls is decided before what exists; never a redirect.
import { expectRefusal } from '../client/expectations.js';
import { pathOf, startRun } from '../client/runs.js';
import { fixtures, type Scenario } from '../scenario.js';

const NOBODY = 'run-that-nobody-has';

const ROUTES: readonly (readonly [string, string])[] = [
  ['GET', '/v1/workflows/conformance-noop'],
  ['POST', '/v1/runs'],
  ['POST', '/v1/runs:bulk-cancel'],
  ['GET', pathOf(NOBODY)],
  ['GET', pathOf(NOBODY, '/events')],
  ['GET', pathOf(NOBODY, '/events/poll')],
  ['POST', pathOf(NOBODY, '/cancel')],
  ['POST', pathOf(NOBODY, '/interrupts/gate')],
  ['GET', pathOf(NOBODY, '/artifacts/nothing')],
];

const CREDENTIALS: readonly (readonly [string, string | undefined])[] = [
  ['no credential', undefined],
  ['an unknown key', 'Bearer key-that-nobody-was-given'],
  ['an empty key', 'Bearer '],
  ['another scheme', 'Basic dXNlcjpwYXNz'],
  ['no scheme', 'key-that-nobody-was-given'],
];

export const scenario: Scenario = {
  name: 'auth',
  needs: fixtures('conformance-noop'),
  tests(host) {
    describe.each(CREDENTIALS)('%s', (_, authorization) => {
      it.each(ROUTES)('is refused at %s %s', async (method, path) => {
        const headers = authorization === undefined ? {} : { authorization };
        const body = method === 'POST' ? { body: { workflowId: 'conformance-noop' } } : {};
        const answer = await host.request(method, path, { bare: true, headers, ...body });
        expectRefusal(answer, 401, 'unauthenticated');
        expect(answer.json.details ?? {}).not.toHaveProperty('runId');
      });
    });

    it('refuses alike what exists and what does not', async () => {
      const runId = await startRun(host, 'conformance-noop');
      const known = await host.get(pathOf(runId), { bare: true });
      const unknown = await host.get(pathOf(NOBODY), { bare: true });
      expectRefusal(known, 401, 'unauthenticated');
      expect([known.status, known.json.error, known.json.message]).toEqual([
        unknown.status,
        unknown.json.error,
        unknown.json.message,
      ]);
    });

    it('lets the key of this suite in', async () => {
      expect((await host.get('/v1/workflows/conformance-noop')).status).toBe(200);
    });
  },
};
