import { Host } from './client/host.js';
import type { OwnHost } from './own-host.js';
import { notApplicable, registerAll } from './register.js';
import { SCENARIOS } from './scenarios/index.js';

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

    it('is a host to which every row applies', async () => {
      await host.trySeams();
      const left = notApplicable(SCENARIOS, await host.discovery(), host);
      expect(left).toEqual([]);
    });

    it('offers what rows ask of a host only if it is there', async () => {
      const { headers } = await host.get('/.well-known/openwop', { bare: true });
      expect(headers.get('etag')).toBeTruthy();
      expect(host.testKeyOf(await host.discovery())).toBeDefined();
    });

    registerAll(SCENARIOS, host);
  });
}
