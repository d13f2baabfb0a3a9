// Host specification §5.1 (CO-3).
import { expectEndedBy, ofType } from '../client/expectations.js';
import { chainOf, decisionsOf } from '../client/loops.js';
import { runToEnd } from '../client/runs.js';
import { agents, all, fixtures, type Scenario } from '../scenario.js';

const WORKFLOW = 'conformance-orchestrator-terminate';

export const scenario: Scenario = {
  name: 'orchestrator-termination',
  needs: all(fixtures(WORKFLOW), agents('orchestrator')),
  tests(host) {
    it('ends with its one decision, and nothing is handed off', async () => {
      const { snapshot, events } = await runToEnd(host, WORKFLOW);
      expect(snapshot.status).toBe('completed');
      expect(decisionsOf(events)).toEqual([
        {
          agentId: 'core.conformance.terminate-supervisor',
          iteration: 1,
          decision: { kind: 'terminate', reason: 'goal-reached' },
        },
      ]);
      expect([...chainOf(events), ...ofType(events, 'node.dispatched')]).toEqual([]);
      expectEndedBy(events, 'run.completed');
    });
  },
};
