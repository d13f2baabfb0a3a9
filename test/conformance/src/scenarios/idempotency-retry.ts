// Host specification §8.1: the claim of a key is atomic.
import { randomUUID } from 'node:crypto';
import { expectRefusal } from '../client/expectations.js';
import { runToEnd, waitForEnd } from '../client/runs.js';
import type { Answer } from '../client/host.js';
import { fixtures, type Scenario } from '../scenario.js';

const AT_ONCE = 12;

export const scenario: Scenario = {
  name: 'idempotency-retry',
  needs: fixtures('conformance-idempotent'),
  tests(host) {
    const post = (idempotencyKey: string, nonce: string): Promise<Answer> =>
      host.post(
        '/v1/runs',
        { workflowId: 'conformance-idempotent', inputs: { nonce } },
        { 'idempotency-key': idempotencyKey },
      );

    it('makes one run of simultaneous posts with one key', async () => {
      const key = randomUUID();
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => post(key, 'n')));
      const created = answers.filter(({ status }) => status === 200 || status === 201);
      expect(new Set(created.map(({ json }) => json.runId as unknown)).size).toBe(1);
      for (const answer of answers.filter((answer) => !created.includes(answer))) {
        expectRefusal(answer, 409, 'idempotency_in_flight');
        expect(answer.json.details.retryAfter).toBeGreaterThanOrEqual(0);
      }
      const executed = created.filter(({ headers }) => headers.get('openwop-idempotent-replay') === null);
      expect(executed).toHaveLength(1);
      const runId = created[0]?.json.runId;
      expect((await post(key, 'n')).json.runId).toBe(runId);
      expect((await waitForEnd(host, runId)).status).toBe('completed');
    });

    it('lets one body win where two race for one key', async () => {
      const key = randomUUID();
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, place) => post(key, `n-${place % 2}`)),
      );
      const created = answers.filter(({ status }) => status === 200 || status === 201);
      expect(new Set(created.map(({ json }) => json.runId as unknown)).size).toBe(1);
      const refused = answers.filter((answer) => !created.includes(answer));
      expect(refused.length).toBeGreaterThanOrEqual(AT_ONCE / 2);
      for (const answer of refused) {
        expectRefusal(answer, 409);
        expect(['idempotency_key_mismatch', 'idempotency_in_flight']).toContain(answer.json.error);
        expect(answer.text).not.toContain('runId');
      }
    });

    it('makes a run per post where there is no key', async () => {
      const parts = { inputs: { nonce: 'same' } };
      const runs = await Promise.all([1, 2, 3].map(() => runToEnd(host, 'conformance-idempotent', parts)));
      expect(new Set(runs.map(({ runId }) => runId)).size).toBe(3);
    });
  },
};
