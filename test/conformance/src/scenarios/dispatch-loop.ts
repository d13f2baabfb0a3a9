// Host specification §5.1, §5.9 (the empty configuration), §5.6 (`iteration`).
import { expectEndedBy } from '../client/expectations.js';
import { decisionsOf, expectTurns } from '../client/loops.js';
import { runToEnd } from '../client/runs.js';
import { agents, all, fixtures, type Scenario } from '../scenario.js';

const WORKFLOW = 'conformance-dispatch-loop';
const LONGER = 'conformance-context-budget-multiturn';

export const scenario: Scenario = {
  name: 'dispatch-loop',
  needs: all(fixtures(WORKFLOW, LONGER), agents('dispatch')),
  tests(host) {
    it('hands off first and terminates last', async () => {
      const { snapshot, events } = await runToEnd(host, WORKFLOW);
      expect(snapshot.status).toBe('completed');
      const kinds = decisionsOf(events).map(({ decision }) => String(decision.kind));
      expect(kinds.length).toBeGreaterThanOrEqual(2);
      expect([kinds[0], kinds.at(-1)]).toEqual(['next-worker', 'terminate']);
      expect(kinds.filter((kind) => kind === 'terminate')).toHaveLength(1);
      expectEndedBy(events, 'run.completed');
    });

    it('takes as many turns as are decided', async () => {
      const { snapshot, events } = await runToEnd(host, LONGER);
      expect(snapshot.status).toBe('completed');
      expectTurns(events, 5);
    });
  },
};
