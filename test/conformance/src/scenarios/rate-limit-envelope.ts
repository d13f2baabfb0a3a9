// Host specification §11.3. Nothing is provoked: every 429 that this suite meets is judged, this row's burst included.
import { expectRefusal } from '../client/expectations.js';
import type { Answer } from '../client/host.js';
import type { Scenario } from '../scenario.js';

const BURST = 48;
const SCOPES = ['tenant', 'route', 'global', 'key'];

export const scenario: Scenario = {
  name: 'rate-limit-envelope',
  tests(host) {
    it('tells a limited caller when to come back', async () => {
      const burst = Array.from({ length: BURST }, () => host.get('/.well-known/openwop', { bare: true }));
      expect((await Promise.all(burst)).filter(({ status }) => ![200, 429].includes(status))).toEqual([]);
      host.refusedForRate.forEach(expectRateLimited);
    });
  },
};

function expectRateLimited(answer: Answer): void {
  expectRefusal(answer, 429, 'rate_limited');
  const header = answer.headers.get('retry-after') ?? '';
  expect(header).toMatch(/^[0-9]+$/);
  const { scope, retryAfterMs } = answer.json.details ?? {};
  expect(SCOPES).toContain(scope);
  expect(Math.abs(Number(retryAfterMs) - Number(header) * 1000)).toBeLessThanOrEqual(1500);
}
