// Host specification §9.3 (agent loop), §5.6 (`iteration`), §5.7.
import { expectRefusal, isObject } from '../client/expectations.js';
import { runAgentLoop } from '../client/agent-loop.js';
import { all, executionModel, seam, type Scenario } from '../scenario.js';

export const scenario: Scenario = {
  name: 'agent-loop-iteration-monotonic',
  needs: all(executionModel(5), seam('agent loop')),
  tests(host) {
    it.each([1, 3, 5])('numbers %i turns from 1, without gap or repeat', async (turns) => {
      const { decisions } = await runAgentLoop(host, { turns });
      expect(decisions.map(({ iteration }) => iteration)).toEqual(
        Array.from({ length: turns }, (_, place) => place + 1),
      );
      expect(new Set(decisions.map(({ agentId }) => agentId)).size).toBe(1);
      expect(decisions.filter(({ decision }) => !isObject(decision))).toEqual([]);
    });

    it('begins at 1 again in another run', async () => {
      const loops = await Promise.all([runAgentLoop(host, { turns: 2 }), runAgentLoop(host, { turns: 2 })]);
      const counted = loops.map(({ decisions }) => decisions.map(({ iteration }) => iteration));
      expect(counted).toEqual([
        [1, 2],
        [1, 2],
      ]);
    });

    it('decides no more often than the run may', async () => {
      const { decisions } = await runAgentLoop(host, { turns: 4, maxLoopIterations: 2 });
      expect(decisions.map(({ iteration }) => iteration)).toEqual([1, 2]);
    });

    it.each([{}, { turns: 0 }, { turns: 'three' }])('refuses %j', async (body) => {
      expectRefusal(await host.post('/v1/host/sample/agentloop/run', body), [400, 422]);
    });
  },
};
