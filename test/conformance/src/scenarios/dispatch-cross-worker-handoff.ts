// Host specification §5.3 (input values are read when a worker starts), §5.4 (one worker after the other).
import { childrenOf, phasesOf } from '../client/loops.js';
import { runToEnd } from '../client/runs.js';
import { agents, all, fixtures, type Scenario } from '../scenario.js';

const WORKFLOW = 'conformance-dispatch-cross-worker-handoff';

export const scenario: Scenario = {
  name: 'dispatch-cross-worker-handoff',
  needs: all(fixtures(WORKFLOW), agents('dispatchMapping')),
  tests(host) {
    it('shows a worker what the one before it left', async () => {
      const { snapshot, events } = await runToEnd(host, WORKFLOW);
      expect(snapshot).toMatchObject({ status: 'completed', variables: { sharedVar: 'hello' } });
      const [, second] = await childrenOf(host, events);
      expect(second.inputs).toEqual({ input: 'hello' });
    });

    it('has one worker at its end before the next begins', async () => {
      const { events } = await runToEnd(host, WORKFLOW);
      expect(phasesOf(events)).toEqual([
        'dispatch.began',
        'dispatch.succeeded',
        'child.completed',
        'output.harvested',
        'dispatch.began',
        'dispatch.succeeded',
        'child.completed',
      ]);
    });
  },
};
