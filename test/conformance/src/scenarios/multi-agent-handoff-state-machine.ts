// Host specification §5.4, §4.3.
import { isText } from '../client/expectations.js';
import { chainOf, childrenOf, decisionsOf } from '../client/loops.js';
import { runToEnd } from '../client/runs.js';
import { all, executionModel, fixtures, type Scenario } from '../scenario.js';

const WORKFLOW = 'conformance-multi-agent-handoff';
const CHILD = 'conformance-multi-agent-handoff-child';

export const scenario: Scenario = {
  name: 'multi-agent-handoff-state-machine',
  needs: all(fixtures(WORKFLOW, CHILD), executionModel(1)),
  tests(host) {
    it('goes through its four phases, each caused by the one before', async () => {
      const { runId, snapshot, events } = await runToEnd(host, WORKFLOW);
      expect(snapshot.status).toBe('completed');
      const chain = chainOf(events);
      const [child] = await childrenOf(host, events);
      const handOff = { workerId: CHILD, parentRunId: runId };
      const ofChild = { ...handOff, childRunId: child.runId };
      expect(chain.map(({ payload }) => payload as unknown)).toEqual([
        { phase: 'dispatch.began', ...handOff },
        { phase: 'dispatch.succeeded', ...ofChild },
        { phase: 'child.completed', ...ofChild },
        { phase: 'output.harvested', ...ofChild, harvestedKeys: ['parentResult'] },
      ]);
      expect(isText(child.runId)).toBe(true);
      const decided = events.find(({ type }) => type === 'runOrchestrator.decided');
      const causes = [decided, ...chain.slice(0, -1)].map(({ eventId }) => eventId as unknown);
      expect(chain.map(({ causationId }) => causationId as unknown)).toEqual(causes);
      expect(decisionsOf(events)[0].decision.nextWorkerIds).toEqual([CHILD]);
    });

    it('leaves the result with the run', async () => {
      const { snapshot } = await runToEnd(host, WORKFLOW);
      expect(snapshot.variables).toMatchObject({ parentResult: 'handoff-complete' });
    });
  },
};
