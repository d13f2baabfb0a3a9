import { Host } from './client/host.js';
import type { OwnHost } from './own-host.js';
import { notApplicable, registerAll } from './register.js';
import { SCENARIOS } from './scenarios/index.js';

/** Rows about claims that the host does not make before its models take turns. It holds them already. */
const UNCLAIMED = ['multi-agent-handoff-state-machine', 'multi-agent-confidence-escalation'];

/** Every row against a host of ours: none may be left out. */
export function describeOwnHost(name: string, start: (host: Host) => Promise<OwnHost>): void {
  describe(name, () => {
    const host = new Host();
    let running: OwnHost | undefined;
    beforeAll(async () => {
      running = await start(host);
      host.startEarly();
    });
    afterAll(() => running?.stop());

    it('is a host to which every row applies, or will', async () => {
      const left = notApplicable(SCENARIOS, await host.discovery(), host);
      expect(left.map((row) => row.name)).toEqual(UNCLAIMED);
    });

    it('offers what rows ask of a host only if it is there', async () => {
      const { headers } = await host.get('/.well-known/openwop', { bare: true });
      expect(headers.get('etag')).toBeTruthy();
      expect(host.testKeyOf(await host.discovery())).toBeDefined();
    });

    registerAll(SCENARIOS, host);
  });
}
