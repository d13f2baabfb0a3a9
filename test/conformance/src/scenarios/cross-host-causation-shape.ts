// Host specification §5.6 (v3), §1.3 (`crossHostCausation`).
import { isText } from '../client/expectations.js';
import { runToEnd } from '../client/runs.js';
import { all, executionModel, fixtures, type Scenario } from '../scenario.js';

const LOOP = 'conformance-orchestrator-dispatch';

export const scenario: Scenario = {
  name: 'cross-host-causation-shape',
  needs: all(executionModel(3), fixtures(LOOP)),
  tests(host) {
    it('names itself by a host id that stays', async () => {
      const { supported, hostId } = await claim();
      expect(supported).toBe(true);
      expect(isText(hostId)).toBe(true);
      const again = await host.get('/.well-known/openwop', { bare: true });
      expect(again.json.multiAgent.executionModel.crossHostCausation.hostId).toBe(hostId);
    });

    it('is closed', async () => {
      const known = ['supported', 'hostId', 'ancestryEndpointSupported'];
      expect(Object.keys(await claim()).filter((key) => !known.includes(key))).toEqual([]);
    });

    it('names no host where the cause is its own', async () => {
      const { events } = await runToEnd(host, LOOP);
      expect(events.filter(({ payload }) => 'causationHostId' in payload)).toEqual([]);
    });

    async function claim(): Promise<Record<string, unknown>> {
      return (await host.discovery())['multiAgent'].executionModel.crossHostCausation as Record<
        string,
        unknown
      >;
    }
  },
};
