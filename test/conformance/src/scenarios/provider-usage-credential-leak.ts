// Host specification §9.3 (usage emit), §4.7 (no credential), §11.1 (`provider-usage-no-credential-leak`).
import { expectRefusal } from '../client/expectations.js';
import { seam, type Scenario } from '../scenario.js';

const EMIT = '/v1/host/sample/test/emit-provider-usage';
const USAGE = { provider: 'openai', model: 'm-1', inputTokens: 12, outputTokens: 3 };
const KEY = `sk-${'live0123456789abcdefghijklmnop'}`;

export const scenario: Scenario = {
  name: 'provider-usage-credential-leak',
  needs: seam('usage emit'),
  tests(host) {
    it('takes usage without a credential', async () => {
      expect((await host.post(EMIT, USAGE)).status).toBeLessThan(300);
    });

    it.each(['provider', 'model', 'traceId', 'nodeId'])(
      'refuses a key in %s, and does not repeat it',
      async (name) => {
        const answer = await host.post(EMIT, { ...USAGE, [name]: KEY });
        expectRefusal(answer, 400, 'provider_usage_credential_leak');
        expect(answer.text).not.toContain(KEY);
      },
    );
  },
};
