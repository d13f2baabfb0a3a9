// Host specification §5.3 (`outputMapping`), §5.4.
import { chainOf } from '../client/loops.js';
import { runToEnd } from '../client/runs.js';
import { agents, all, fixtures, type Scenario } from '../scenario.js';

const WORKFLOW = 'conformance-dispatch-output-mapping';

export const scenario: Scenario = {
  name: 'dispatch-output-mapping',
  needs: all(fixtures(WORKFLOW), agents('dispatchMapping')),
  tests(host) {
    it('takes over what a completed worker leaves', async () => {
      const { snapshot, events } = await runToEnd(host, WORKFLOW);
      expect(snapshot).toMatchObject({ status: 'completed', variables: { parentResult: 'done' } });
      const harvested = chainOf(events).filter(({ payload }) => payload.phase === 'output.harvested');
      expect(harvested.map(({ payload }) => payload.harvestedKeys as unknown)).toEqual([['parentResult']]);
    });
  },
};
