// Host specification §5.3 (`outputMapping`), §5.4, §3.4 (children are cancelled first); the row's cases that need the
// register seam (§9.3).
import { randomUUID } from 'node:crypto';
import { expectEndedBy, ofType } from '../client/expectations.js';
import { childrenOf, phasesOf, registerLoop } from '../client/loops.js';
import { cancel, eventsOf, runToEnd, startRun, waitForEnd, waitForStatus } from '../client/runs.js';
import { eventually, scaled } from '../client/deadlines.js';
import type { Host } from '../client/host.js';
import { agents, all, fixtures, seam, type Scenario } from '../scenario.js';

const FAILING = 'conformance-dispatch-deterministic-fail-child';
const WAITING = 'conformance-dispatch-cancellable-child';
const MAPPED = { outputMapping: { parentResult: 'childResult' } };

export const scenario: Scenario = {
  name: 'dispatch-output-mapping-registered',
  needs: all(fixtures(FAILING, WAITING), agents('dispatchMapping'), seam('workflows')),
  tests(host) {
    it('takes nothing over from a worker that failed, which fails the run', async () => {
      const workflowId = `conformance-mapping-${randomUUID()}`;
      await registerLoop(host, workflowId, { worker: FAILING, dispatch: MAPPED });
      const { snapshot, events } = await runToEnd(host, workflowId);
      expect(snapshot).toMatchObject({ status: 'failed', variables: { parentResult: 'untouched' } });
      expect(phasesOf(events)).toEqual(['dispatch.began', 'dispatch.succeeded', 'child.failed']);
      const [child] = await childrenOf(host, events);
      expect(child).toMatchObject({ status: 'failed', error: { code: 'hvmap_1b_failed_fixture' } });
    });

    it('takes nothing over from a worker that was cancelled', async () => {
      const { runId, childRunId } = await waitingForChild(host);
      await cancel(host, childRunId);
      const snapshot = await waitForEnd(host, runId);
      expect(snapshot).toMatchObject({ status: 'failed', variables: { parentResult: 'untouched' } });
      expect(phasesOf(await eventsOf(host, runId))).toEqual([
        'dispatch.began',
        'dispatch.succeeded',
        'child.cancelled',
      ]);
    });

    it('is cancelled after its worker', async () => {
      const { runId, childRunId } = await waitingForChild(host);
      const { status, json } = await cancel(host, runId);
      expect(status).toBe(200);
      expect(['cancelling', 'cancelled']).toContain(json.status);
      await waitForStatus(host, runId, 'cancelled', scaled(5000));
      const events = await eventsOf(host, childRunId);
      expectEndedBy(events, 'run.cancelled');
      expect(events.at(-1).payload).toMatchObject({ reason: 'parent-cancelled', parentRunId: runId });
    });
  },
};

type Waiting = { readonly runId: string; readonly childRunId: string };

async function waitingForChild(host: Host): Promise<Waiting> {
  const workflowId = `conformance-mapping-${randomUUID()}`;
  await registerLoop(host, workflowId, { worker: WAITING, dispatch: MAPPED });
  const runId = await startRun(host, workflowId);
  const childRunId = await eventually(`a child of ${runId}`, async () => {
    const [dispatched] = ofType(await eventsOf(host, runId), 'node.dispatched');
    return dispatched === undefined ? undefined : String(dispatched.payload.childRunId);
  });
  await waitForStatus(host, childRunId, 'running');
  return { runId, childRunId };
}
