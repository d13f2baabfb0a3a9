// Host specification §3.4.
import { expectEndedBy, expectUnknown, typesOf } from '../client/expectations.js';
import { cancel, eventsOf, pathOf, runToEnd, startRun, waitForStatus } from '../client/runs.js';
import { scaled } from '../client/deadlines.js';
import type { Host } from '../client/host.js';
import { fixtures, type Scenario } from '../scenario.js';

export const scenario: Scenario = {
  name: 'cancellation',
  needs: fixtures('conformance-cancellable', 'conformance-noop'),
  tests(host) {
    it('cancels a run in flight within five seconds', async () => {
      const runId = await running(host);
      const { status, json } = await cancel(host, runId);
      expect(status).toBe(200);
      expect(json.runId).toBe(runId);
      expect(['cancelling', 'cancelled']).toContain(json.status);
      await waitForStatus(host, runId, 'cancelled', scaled(5000));
      const events = await eventsOf(host, runId);
      expectEndedBy(events, 'run.cancelled');
      expect(typesOf(events)).not.toContain('node.completed');
    });

    it('cancels without a body too', async () => {
      const runId = await running(host);
      expect((await host.post(pathOf(runId, '/cancel'))).status).toBe(200);
      await waitForStatus(host, runId, 'cancelled', scaled(5000));
    });

    it('answers 200 for a run that is already cancelled, and records nothing more', async () => {
      const runId = await running(host);
      await cancel(host, runId);
      await waitForStatus(host, runId, 'cancelled', scaled(5000));
      const before = await eventsOf(host, runId);
      const { status, json } = await cancel(host, runId);
      expect([status, json]).toEqual([200, expect.objectContaining({ runId, status: 'cancelled' })]);
      expect(await eventsOf(host, runId)).toEqual(before);
    });

    it('answers 200 for a completed run, which stays completed', async () => {
      const { runId, events } = await runToEnd(host, 'conformance-noop');
      const { status, json } = await cancel(host, runId);
      expect([status, json]).toEqual([200, expect.objectContaining({ runId, status: 'completed' })]);
      expect((await host.get(pathOf(runId))).json.status).toBe('completed');
      expect(await eventsOf(host, runId)).toEqual(events);
    });

    it('knows no unknown run', async () => expectUnknown(await cancel(host, 'run-that-nobody-has')));
  },
};

async function running(host: Host): Promise<string> {
  const runId = await startRun(host, 'conformance-cancellable');
  await waitForStatus(host, runId, 'running', scaled(5000));
  return runId;
}
