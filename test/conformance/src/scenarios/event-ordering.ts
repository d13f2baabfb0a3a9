// Host specification §3.6, §3.7 (JSON list), §3.9, §4.1 (order).
import { expectEndedBy, expectOrdered, placeOf } from '../client/expectations.js';
import { eventsOf, pathOf, runToEnd, suspendedRun } from '../client/runs.js';
import { fixtures, type Scenario } from '../scenario.js';

export const scenario: Scenario = {
  name: 'event-ordering',
  needs: fixtures('conformance-noop', 'conformance-approval'),
  tests(host) {
    it('opens with run.started, closes with run.completed, and counts up from 0', async () => {
      const { events } = await runToEnd(host, 'conformance-noop');
      expectOrdered(events);
      expect(events[0].type).toBe('run.started');
      expect(placeOf(events, 'node.started', 'noop')).toBeLessThan(placeOf(events, 'node.completed', 'noop'));
      expectEndedBy(events, 'run.completed');
    });

    it.each(['application/json', '*/*', 'application/json, text/plain'])(
      'answers the log as a JSON list to Accept: %s',
      async (accept) => {
        const { runId, events } = await runToEnd(host, 'conformance-noop');
        const answer = await host.get(pathOf(runId, '/events'), { headers: { accept } });
        expect(answer.status).toBe(200);
        expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/);
        expect(answer.json.events).toEqual(events);
      },
    );

    it('answers the log of a suspended run at once', async () => {
      const { runId } = await suspendedRun(host, 'conformance-approval', 'waiting-approval');
      const events = await eventsOf(host, runId);
      expectOrdered(events);
      expect(placeOf(events, 'node.started', 'gate')).toBeLessThan(placeOf(events, 'node.suspended', 'gate'));
    });
  },
};
