// Host specification §7, §12.6: who asks is decided before what there is.
import { expectRefusal, expectUnknown } from '../client/expectations.js';
import { pathOf, runToEnd } from '../client/runs.js';
import { fixtures, type Scenario } from '../scenario.js';

const NOOP = 'conformance-noop';

export const scenario: Scenario = {
  name: 'artifact-auth',
  needs: fixtures(NOOP),
  tests(host) {
    const paths = async () => [
      pathOf((await runToEnd(host, NOOP)).runId, '/artifacts/no-such-artifact'),
      pathOf('run-of-nobody', '/artifacts/no-such-artifact'),
    ];

    it.each([{}, { authorization: 'Bearer key-that-nobody-was-given' }])(
      'turns away who shows no key that is known: %j',
      async (headers) => {
        for (const path of await paths())
          expectRefusal(await host.request('GET', path, { bare: true, headers }), 401);
      },
    );

    it('knows no artifact that is not there', async () => {
      for (const path of await paths()) expectUnknown(await host.get(path));
    });

    it.each(['POST', 'PUT', 'DELETE'])('takes no %s', async (method) => {
      const [path = ''] = await paths();
      expectRefusal(await host.request(method, path), [404, 405]);
    });
  },
};
