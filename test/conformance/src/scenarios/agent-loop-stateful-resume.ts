// Host specification §5.6 (`statefulResume`), §9.3 (agent loop).
import { runAgentLoop } from '../client/agent-loop.js';
import type { Discovery } from '../client/host.js';
import { all, executionModel, seam, type Scenario } from '../scenario.js';

export const scenario: Scenario = {
  name: 'agent-loop-stateful-resume',
  needs: all(executionModel(5), statefulResume, seam('agent loop')),
  tests(host) {
    it('goes on in the turn that it waited in, and loses and repeats none', async () => {
      const loop = await runAgentLoop(host, { turns: 4, suspendAtTurn: 2, resume: true });
      expect(loop.resumedIteration).toBe(2);
      expect(loop.decisions.map(({ iteration }) => iteration)).toEqual([1, 2, 3, 4]);
    });

    it('waits where it is not resumed', async () => {
      const { decisions } = await runAgentLoop(host, { turns: 4, suspendAtTurn: 3 });
      expect(decisions.map(({ iteration }) => iteration).filter((iteration) => iteration > 3)).toEqual([]);
    });
  },
};

function statefulResume(discovery: Discovery): string | undefined {
  const claimed: unknown = discovery['multiAgent']?.executionModel?.statefulResume;
  return claimed === true ? undefined : 'discovery does not claim statefulResume';
}
