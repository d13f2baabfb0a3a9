// Host specification §8.1.
import { randomUUID } from 'node:crypto';
import { expectRefusal } from '../client/expectations.js';
import { pathOf, startRun, waitForEnd } from '../client/runs.js';
import { fixtures, type Scenario } from '../scenario.js';

const REPLAYED = 'openwop-idempotent-replay';

function body(nonce: string): object {
  return { workflowId: 'conformance-idempotent', inputs: { nonce } };
}

export const scenario: Scenario = {
  name: 'idempotency',
  needs: fixtures('conformance-idempotent', 'conformance-cancellable'),
  tests(host) {
    const key = (): Readonly<Record<string, string>> => ({ 'idempotency-key': randomUUID() });

    it('answers the same key and body with the same run, and says so', async () => {
      const headers = key();
      const first = await host.post('/v1/runs', body('n-1'), headers);
      expect([first.status, first.headers.get(REPLAYED)]).toEqual([201, null]);
      const again = await host.post('/v1/runs', body('n-1'), headers);
      expect([200, 201]).toContain(again.status);
      expect(again.headers.get(REPLAYED)).toBe('true');
      expect(again.json).toEqual(first.json);
      await waitForEnd(host, first.json.runId);
      expect((await host.post('/v1/runs', body('n-1'), headers)).json).toEqual(first.json);
    });

    it('does not mind the order of keys in the body', async () => {
      const headers = key();
      const first = await host.post('/v1/runs', body('n-2'), headers);
      const rawBody = '{ "inputs": {"nonce":"n-2"}, "workflowId":"conformance-idempotent" }';
      const again = await host.request('POST', '/v1/runs', { rawBody, headers });
      expect([again.headers.get(REPLAYED), again.json]).toEqual(['true', first.json]);
    });

    it('refuses the same key with another body, and tells no run', async () => {
      const headers = key();
      expect((await host.post('/v1/runs', body('n-3'), headers)).status).toBe(201);
      const answer = await host.post('/v1/runs', body('n-4'), headers);
      expectRefusal(answer, 409, 'idempotency_key_mismatch');
      expect(answer.text).not.toContain('runId');
    });

    it('makes runs of their own for other keys and for none', async () => {
      const answers = await Promise.all(
        [key(), key(), {}, {}].map((headers) => host.post('/v1/runs', body('n-5'), headers)),
      );
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
      expect(new Set(answers.map(({ json }) => json.runId as unknown)).size).toBe(4);
    });

    it('keeps no refusal: the key still serves after a bad body', async () => {
      const headers = key();
      const bad = { workflowId: 'conformance-idempotent' };
      expectRefusal(await host.post('/v1/runs', bad, headers), 400, 'validation_error');
      expect((await host.post('/v1/runs', body('n-6'), headers)).status).toBe(201);
    });

    it('keeps keys of different endpoints apart, and replays cancel too', async () => {
      const headers = key();
      const created = await host.post('/v1/runs', body('n-7'), headers);
      const runId = await startRun(host, 'conformance-cancellable');
      const first = await host.post(pathOf(runId, '/cancel'), {}, headers);
      expect([created.status, first.status, first.headers.get(REPLAYED)]).toEqual([201, 200, null]);
      const again = await host.post(pathOf(runId, '/cancel'), {}, headers);
      expect([again.status, again.headers.get(REPLAYED), again.json]).toEqual([200, 'true', first.json]);
    });

    it('ignores the key of a GET', async () => {
      const headers = key();
      const runId = await startRun(host, 'conformance-idempotent', { inputs: { nonce: 'n-8' } });
      for (const path of [pathOf(runId), '/v1/workflows/conformance-idempotent']) {
        const answer = await host.get(path, { headers });
        expect([answer.status, answer.headers.get(REPLAYED)]).toEqual([200, null]);
      }
    });
  },
};
