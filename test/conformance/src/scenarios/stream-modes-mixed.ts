// Host specification §3.7: a comma list is the union of its modes; `values` stands alone.
import { expectRefusal } from '../client/expectations.js';
import { pathOf, runToEnd, startRun } from '../client/runs.js';
import { fixtures, type Scenario } from '../scenario.js';

export const scenario: Scenario = {
  name: 'stream-modes-mixed',
  needs: fixtures('conformance-delay', 'conformance-noop'),
  tests(host) {
    it('streams updates,messages to the end of the run', async () => {
      const runId = await startRun(host, 'conformance-delay', { inputs: { delayMs: 300 } });
      const { status, events } = await host.readStream(pathOf(runId, '/events?streamMode=updates,messages'));
      expect([status, events.at(-1)?.event]).toEqual([200, 'run.completed']);
    });

    it.each([
      ['updates,debug', 'debug'],
      ['debug,updates', 'debug'],
      ['updates,messages', 'updates'],
      ['updates,updates', 'updates'],
    ])('sends with %s what %s sends, each event once', async (mixed, single) => {
      const { runId } = await runToEnd(host, 'conformance-delay', { inputs: { delayMs: 10 } });
      const [both, one] = await Promise.all(
        [mixed, single].map((mode) => host.readStream(pathOf(runId, `/events?streamMode=${mode}`))),
      );
      expect(both?.status).toBe(200);
      expect(both?.events).toEqual(one?.events);
    });

    it.each([
      'values,updates',
      'updates,values',
      'values,debug',
      'updates,bogus',
      'bogus,updates',
      'updates,',
      ',',
    ])('refuses streamMode=%s', async (mode) => {
      const { runId } = await runToEnd(host, 'conformance-noop');
      const answer = await host.get(pathOf(runId, `/events?streamMode=${mode}`));
      expectRefusal(answer, 400, 'unsupported_stream_mode');
      expect(answer.json.details.supported).toContain('updates');
    });
  },
};
