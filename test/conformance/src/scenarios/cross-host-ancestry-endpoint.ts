// Host specification §5.6 (v3, `ancestryEndpointSupported`).
import { expectRefusal, isText } from '../client/expectations.js';
import type { Host } from '../client/host.js';
import { pathOf, runToEnd } from '../client/runs.js';
import { all, executionModel, fixtures, type Scenario } from '../scenario.js';

const NOOP = 'conformance-noop';

export const scenario: Scenario = {
  name: 'cross-host-ancestry-endpoint',
  needs: all(executionModel(3), fixtures(NOOP)),
  tests(host) {
    it('tells where a run came from, or is not there for any run', async () => {
      const { runId } = await runToEnd(host, NOOP);
      const answer = await host.get(pathOf(runId, '/ancestry'));
      if (!(await isClaimed(host))) return expectRefusal(answer, 404);
      expect(answer.status).toBe(200);
      expect(Object.keys(answer.json as object).sort()).toEqual(['hostId', 'parent', 'runId']);
      expect(answer.json).toMatchObject({ runId, parent: null });
      expect(isText(answer.json.hostId)).toBe(true);
    });

    it('is not there for a run that nobody knows', async () => {
      expectRefusal(await host.get(pathOf('run-of-nobody', '/ancestry')), 404);
    });
  },
};

async function isClaimed(host: Host): Promise<boolean> {
  const { multiAgent } = await host.discovery();
  return multiAgent.executionModel.crossHostCausation?.ancestryEndpointSupported === true;
}
