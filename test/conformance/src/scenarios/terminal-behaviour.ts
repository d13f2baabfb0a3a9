// Host specification §3.9.
import { expectEndedBy } from '../client/expectations.js';
import { cancel, eventsOf, pathOf, resume, startRun, suspendedRun, waitForEnd } from '../client/runs.js';
import type { Host } from '../client/host.js';
import { fixtures, type Scenario } from '../scenario.js';

const ENDS: readonly (readonly [string, string, (host: Host) => Promise<string>])[] = [
  ['a completed run', 'run.completed', (host) => startRun(host, 'conformance-noop')],
  ['a failed run', 'run.failed', (host) => startRun(host, 'conformance-failure')],
  [
    'a cancelled run',
    'run.cancelled',
    async (host) => {
      const runId = await startRun(host, 'conformance-cancellable');
      await cancel(host, runId);
      return runId;
    },
  ],
  [
    'a run cancelled while it waited',
    'run.cancelled',
    async (host) => {
      const { runId } = await suspendedRun(host, 'conformance-approval', 'waiting-approval');
      await cancel(host, runId);
      return runId;
    },
  ],
  [
    'a run that was answered',
    'run.completed',
    async (host) => {
      const { runId } = await suspendedRun(host, 'conformance-approval', 'waiting-approval');
      await resume(host, runId, 'gate', { action: 'accept' });
      return runId;
    },
  ],
];

export const scenario: Scenario = {
  name: 'terminal-behaviour',
  needs: fixtures(
    'conformance-noop',
    'conformance-failure',
    'conformance-cancellable',
    'conformance-approval',
  ),
  tests(host) {
    it.each(ENDS)('%s has one terminal event, %s, and nothing after it', async (_, type, start) => {
      const runId = await start(host);
      const { status } = await waitForEnd(host, runId);
      expect(type).toBe(`run.${status}`);
      const events = await eventsOf(host, runId);
      expectEndedBy(events, type);
      expect(await eventsOf(host, runId)).toEqual(events);
    });

    it.each(ENDS)('%s takes nothing more', async (_, type, start) => {
      const runId = await start(host);
      await waitForEnd(host, runId);
      const events = await eventsOf(host, runId);
      await cancel(host, runId);
      await resume(host, runId, 'gate', { action: 'accept' });
      await host.post(pathOf(runId, '/approvals/gate'), { action: 'accept' });
      expect(await eventsOf(host, runId)).toEqual(events);
      expectEndedBy(await eventsOf(host, runId), type);
    });
  },
};
