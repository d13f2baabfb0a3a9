// Host specification §12.2 (row), §11.3: dozens of runs and ten streams at once.
import { expectEndedBy, expectOrdered } from '../client/expectations.js';
import { eventsOf, pathOf, startRun, waitForEnd } from '../client/runs.js';
import { fixtures, type Scenario } from '../scenario.js';

const RUNS = 40;
const STREAMS = 10;

export const scenario: Scenario = {
  name: 'high-concurrency',
  needs: fixtures('conformance-noop', 'conformance-delay'),
  tests(host) {
    it('completes many runs at once, each with a log of its own', async () => {
      const runIds = await Promise.all(
        Array.from({ length: RUNS }, () => startRun(host, 'conformance-noop')),
      );
      expect(new Set(runIds).size).toBe(RUNS);
      const ended = await Promise.all(runIds.map((runId) => waitForEnd(host, runId)));
      expect(ended.filter(({ status }) => status !== 'completed')).toEqual([]);
      for (const runId of runIds) {
        const events = await eventsOf(host, runId);
        expect(events.filter((event) => event.runId !== runId)).toEqual([]);
        expectOrdered(events);
        expectEndedBy(events, 'run.completed');
      }
    });

    it('streams one run to ten at once, the same to each', async () => {
      const runId = await startRun(host, 'conformance-delay');
      const path = pathOf(runId, '/events?streamMode=debug');
      const streams = await Promise.all(Array.from({ length: STREAMS }, () => host.readStream(path)));
      const events = await eventsOf(host, runId);
      for (const { status, events: frames } of streams) {
        expect(status).toBe(200);
        expect(frames.map(({ data }) => JSON.parse(data) as unknown)).toEqual(events);
      }
    });
  },
};
