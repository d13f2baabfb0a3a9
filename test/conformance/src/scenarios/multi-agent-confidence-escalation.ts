// Host specification §5.5, §4.4.
import { ofType, isObject } from '../client/expectations.js';
import { chainOf, expectTurns } from '../client/loops.js';
import { eventsOf, resume, suspendedRun, waitForStatus } from '../client/runs.js';
import { all, executionModel, fixtures, type Scenario } from '../scenario.js';

const WORKFLOW = 'conformance-multi-agent-confidence-escalation';

export const scenario: Scenario = {
  name: 'multi-agent-confidence-escalation',
  needs: all(fixtures(WORKFLOW), executionModel(2)),
  tests(host) {
    it('escalates before anything is handed off', async () => {
      const { runId } = await suspendedRun(host, WORKFLOW, 'waiting-approval');
      const events = await eventsOf(host, runId);
      const escalated = ofType(events, 'core.workflowChain.confidence-escalated');
      expect(escalated).toHaveLength(1);
      const { causationId, payload } = escalated[0];
      expect(payload).toMatchObject({ confidence: 0.3, escalationKind: 'escalate', parentRunId: runId });
      expect(payload.floor).toBeGreaterThanOrEqual(0.5);
      expect(payload.floor).toBeLessThanOrEqual(1);
      expect(isObject(payload.originalDecision)).toBe(true);
      expect(causationId === undefined || events.some(({ eventId }) => eventId === causationId)).toBe(true);
      expect(chainOf(events)).toEqual([]);
    });

    it('goes on with the ratified decision, in the same turn', async () => {
      const { runId } = await suspendedRun(host, WORKFLOW, 'waiting-approval');
      expect((await resume(host, runId, 'supervisor', { action: 'accept' })).status).toBe(200);
      await waitForStatus(host, runId, 'completed');
      expectTurns(await eventsOf(host, runId), 2);
    });
  },
};
