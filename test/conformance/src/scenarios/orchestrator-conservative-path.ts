// Host specification §5.5 (CP-1), §5.6 (the turn that waited goes on).
import { expectRefusal, ofType, placeOf } from '../client/expectations.js';
import { chainOf, decisionsOf, expectTurns } from '../client/loops.js';
import { eventsOf, pathOf, resume, runToEnd, suspendedRun, waitForStatus } from '../client/runs.js';
import { agents, all, fixtures, type Scenario } from '../scenario.js';

const WORKFLOW = 'conformance-orchestrator-low-confidence';
const AGENT = 'core.conformance.low-conf-supervisor';

export const scenario: Scenario = {
  name: 'orchestrator-conservative-path',
  needs: all(fixtures(WORKFLOW), agents('orchestrator')),
  tests(host) {
    const waiting = () => suspendedRun(host, WORKFLOW, 'waiting-approval');

    it('holds a decision that it is not sure of', async () => {
      const { runId, snapshot } = await waiting();
      expect(snapshot.currentNodeId).toBe('supervisor');
      const events = await eventsOf(host, runId);
      expect([...decisionsOf(events), ...chainOf(events)]).toEqual([]);
      expect(events[placeOf(events, 'node.suspended')].payload).toMatchObject({
        reason: 'low-confidence',
        agentId: AGENT,
      });
      expect(events[placeOf(events, 'interrupt.requested')].payload).toMatchObject({
        kind: 'low-confidence',
        data: { agentId: AGENT, threshold: 0.7, observed: 0.5 },
      });
    });

    it('records it once, in the same turn, as soon as it is ratified', async () => {
      const { runId } = await waiting();
      expect((await resume(host, runId, 'supervisor', { action: 'accept' })).status).toBe(200);
      await waitForStatus(host, runId, 'completed');
      const events = await eventsOf(host, runId);
      expectTurns(events, 2);
      expect(ofType(events, 'node.dispatched')).toHaveLength(1);
    });

    it('fails where it is not ratified', async () => {
      const { runId } = await waiting();
      expect((await resume(host, runId, 'supervisor', { action: 'reject' })).status).toBe(200);
      await waitForStatus(host, runId, 'failed');
      expect(decisionsOf(await eventsOf(host, runId))).toEqual([]);
    });

    it('waits on where the answer is none', async () => {
      const { runId } = await waiting();
      expectRefusal(
        await resume(host, runId, 'supervisor', { action: 'maybe' }),
        [400, 422],
        'validation_error',
      );
      expect((await host.get(pathOf(runId))).json.status).toBe('waiting-approval');
    });

    it('asks nobody where the run sets the threshold as low as that', async () => {
      const { snapshot, events } = await runToEnd(host, WORKFLOW, {
        configurable: { escalationThreshold: 0.5 },
      });
      expect(snapshot.status).toBe('completed');
      expect(ofType(events, 'interrupt.requested')).toEqual([]);
    });
  },
};
