// Host specification §3.4 (`POST /v1/runs:bulk-cancel`).
import { expectRefusal, isText } from '../client/expectations.js';
import { cancel, eventsOf, runToEnd, startRun, waitForStatus } from '../client/runs.js';
import type { Json } from '../client/host.js';
import { fixtures, type Scenario } from '../scenario.js';

const PATH = '/v1/runs:bulk-cancel';

export const scenario: Scenario = {
  name: 'bulk-cancel',
  needs: fixtures('conformance-cancellable', 'conformance-noop'),
  tests(host) {
    it('answers for each run, in the order of the request', async () => {
      const going = await startRun(host, 'conformance-cancellable');
      const cancelled = await startRun(host, 'conformance-cancellable');
      await cancel(host, cancelled);
      await waitForStatus(host, cancelled, 'cancelled');
      const runIds = ['run-that-nobody-has', going, cancelled];
      const { status, json } = await host.post(PATH, { runIds, reason: 'conformance' });
      expect(status).toBe(200);
      const results: readonly Json[] = json.results;
      expect(results.map(({ runId }) => String(runId))).toEqual(runIds);
      const [unknown, first, second] = results;
      expect(unknown).toMatchObject({ ok: false, error: { code: 'not_found' } });
      expect(isText(unknown.error.message)).toBe(true);
      expect(first).toMatchObject({ ok: true, status: expect.stringMatching(/^cancell(ing|ed)$/) });
      expect(second).toMatchObject({ ok: true, status: 'cancelled' });
      await waitForStatus(host, going, 'cancelled');
    });

    it('may be asked again', async () => {
      const runId = await startRun(host, 'conformance-cancellable');
      expect((await host.post(PATH, { runIds: [runId] })).json.results[0].ok).toBe(true);
      await waitForStatus(host, runId, 'cancelled');
      const before = await eventsOf(host, runId);
      const { status, json } = await host.post(PATH, { runIds: [runId] });
      expect([status, json.results]).toEqual([200, [{ runId, ok: true, status: 'cancelled' }]]);
      expect(await eventsOf(host, runId)).toEqual(before);
    });

    it('answers 200 although every run fails, for a hundred of them', async () => {
      const runIds = Array.from({ length: 100 }, (_, place) => `run-that-nobody-has-${place}`);
      const { status, json } = await host.post(PATH, { runIds });
      expect(status).toBe(200);
      const results: readonly Json[] = json.results;
      expect(results.map(({ runId, ok }) => [String(runId), Boolean(ok)])).toEqual(
        runIds.map((runId) => [runId, false]),
      );
    });

    it('leaves a completed run completed', async () => {
      const { runId, events } = await runToEnd(host, 'conformance-noop');
      const { status, json } = await host.post(PATH, { runIds: [runId] });
      expect(status).toBe(200);
      expect(json.results[0].status ?? 'completed').toBe('completed');
      expect(await eventsOf(host, runId)).toEqual(events);
    });

    it.each([
      ['no list', {}],
      ['an empty list', { runIds: [] }],
      ['101 runs', { runIds: Array.from({ length: 101 }, (_, place) => `run-${place}`) }],
      ['a text', { runIds: 'run-1' }],
    ])('refuses %s, and says how many it takes', async (_, body) => {
      const answer = await host.post(PATH, body);
      expectRefusal(answer, 400, 'validation_error');
      expect(answer.json.details.maxRunIds).toBe(100);
    });
  },
};
