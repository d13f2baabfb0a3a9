// Host specification §12.1 (row), §7, §10.1: routes of the v1 catalog that no other row calls.
import { expectRefusal, expectUnknown } from '../client/expectations.js';
import { pathOf, startRun } from '../client/runs.js';
import { fixtures, type Scenario } from '../scenario.js';

export const scenario: Scenario = {
  name: 'route-coverage',
  needs: fixtures('conformance-noop'),
  tests(host) {
    it('reads a known workflow', async () => {
      const { status, json } = await host.get('/v1/workflows/conformance-noop');
      expect(status).toBe(200);
      expect(json.id).toBe('conformance-noop');
    });

    it('knows no unknown workflow', async () => {
      expectUnknown(await host.get('/v1/workflows/no-such-workflow'));
    });

    it('knows no unknown artifact of a known run', async () => {
      const runId = await startRun(host, 'conformance-noop');
      expectUnknown(await host.get(pathOf(runId, '/artifacts/no-such-artifact')));
    });

    it('refuses an empty webhook', async () => {
      const answer = await host.post('/v1/webhooks', {});
      expectRefusal(answer, [400, 401, 403, 404, 405, 422]);
    });

    it('deletes no unknown webhook', async () => {
      const answer = await host.request('DELETE', '/v1/webhooks/no-such-webhook');
      expect([204, 403, 404]).toContain(answer.status);
      if (answer.status !== 204) expectRefusal(answer, [403, 404]);
    });
  },
};
