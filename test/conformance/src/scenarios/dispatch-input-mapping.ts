// Host specification §5.3 (`inputMapping`, `perWorkerInputMappings`).
import { childrenOf } from '../client/loops.js';
import { runToEnd } from '../client/runs.js';
import type { Host } from '../client/host.js';
import { agents, all, fixtures, type Scenario } from '../scenario.js';

const WORKFLOW = 'conformance-dispatch-input-mapping';
const ABSENT = 'conformance-dispatch-input-mapping-no-default';
const OVERRIDE = 'conformance-dispatch-per-worker-override';

export const scenario: Scenario = {
  name: 'dispatch-input-mapping',
  needs: all(fixtures(WORKFLOW, ABSENT, OVERRIDE), agents('dispatchMapping')),
  tests(host) {
    it('gives the worker a variable of the run', async () => {
      expect(await inputsOfChildren(host, WORKFLOW)).toEqual([{ childGreeting: 'Alice' }]);
    });

    it('gives it the value that the run was started with', async () => {
      expect(await inputsOfChildren(host, WORKFLOW, { parentName: 'Bob' })).toEqual([
        { childGreeting: 'Bob' },
      ]);
    });

    it('leaves out what the run does not have', async () => {
      expect(await inputsOfChildren(host, ABSENT)).toEqual([{}]);
    });

    it("puts a worker's own mapping in the place of the default one", async () => {
      expect(await inputsOfChildren(host, OVERRIDE)).toEqual([
        { input: 'default-x-value' },
        { input: 'shared-value' },
      ]);
    });
  },
};

async function inputsOfChildren(
  host: Host,
  workflowId: string,
  inputs: Readonly<Record<string, unknown>> = {},
): Promise<readonly unknown[]> {
  const { snapshot, events } = await runToEnd(host, workflowId, { inputs });
  expect(snapshot.status).toBe('completed');
  return (await childrenOf(host, events)).map((child) => child.inputs as unknown);
}
