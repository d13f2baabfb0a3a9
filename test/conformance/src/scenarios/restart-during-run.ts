// Host specification §12.2 (row): a run outlives the process that ran it. For hosts that can be restarted from here.
import { expectEndedBy, expectOrdered, ofType } from '../client/expectations.js';
import { eventsOf, resume, startRun, suspendedRun, waitForStatus } from '../client/runs.js';
import { fixtures, type Scenario } from '../scenario.js';

const AFTER_RESTART_MS = 60_000;

export const scenario: Scenario = {
  name: 'restart-during-run',
  needs(discovery, host) {
    if (!host.restart) return 'the host cannot be restarted from here';
    return fixtures('conformance-delay', 'conformance-approval')(discovery, host);
  },
  tests(host) {
    it('goes on with what ran and with what waited, and repeats nothing recorded', async () => {
      const waiting = await suspendedRun(host, 'conformance-approval', 'waiting-approval');
      const before = await eventsOf(host, waiting.runId);
      const delayed = await startRun(host, 'conformance-delay', { inputs: { delayMs: 3000 } });
      await waitForStatus(host, delayed, 'running');
      await host.restart?.();

      await waitForStatus(host, delayed, 'completed', AFTER_RESTART_MS);
      const events = await eventsOf(host, delayed);
      expectOrdered(events);
      expectEndedBy(events, 'run.completed');
      expect(ofType(events, 'run.started')).toHaveLength(1);
      expect(ofType(events, 'node.completed')).toHaveLength(1);

      expect(await eventsOf(host, waiting.runId)).toEqual(before);
      expect((await resume(host, waiting.runId, 'gate', { action: 'accept' })).status).toBe(200);
      await waitForStatus(host, waiting.runId, 'completed', AFTER_RESTART_MS);
    });
  },
};
