// Host specification §8.1 on the fork endpoint, §6.1 (concurrent identical key).
import { randomUUID } from 'node:crypto';
import { expectRefusal } from '../client/expectations.js';
import { endedRun, expectForked, factsOf, fork, type ForkBody } from '../client/forks.js';
import { eventsOf, waitForEnd } from '../client/runs.js';
import type { Answer } from '../client/host.js';
import { all, branches, fixtures, replays, type Scenario } from '../scenario.js';

const WORKFLOW = 'conformance-multi-node';
const REPLAYED = 'openwop-idempotent-replay';
const AT_ONCE = 12;
const REPLAY = { mode: 'replay', fromSeq: 0 };

export const scenario: Scenario = {
  name: 'replay-fork-idempotency',
  needs: all(replays, branches, fixtures(WORKFLOW)),
  tests(host) {
    const post = async (key: string, body: ForkBody): Promise<Answer> => {
      const { runId } = await endedRun(host, WORKFLOW);
      return fork(host, runId, body, { 'idempotency-key': key });
    };

    it.each([REPLAY, { mode: 'branch', fromSeq: 2 }])(
      'answers the same key with the same fork: %j',
      async (body) => {
        const source = await endedRun(host, WORKFLOW);
        const key = randomUUID();
        const first = await post(key, body);
        const runId = expectForked(first, source.runId, body);
        expect(first.headers.get(REPLAYED)).toBeNull();
        await waitForEnd(host, runId);
        const again = await post(key, body);
        expect([200, 201]).toContain(again.status);
        expect([again.headers.get(REPLAYED), again.json]).toEqual(['true', first.json]);
      },
    );

    it('refuses the same key with another fork, and tells no run', async () => {
      const key = randomUUID();
      expect((await post(key, REPLAY)).status).toBe(201);
      const answer = await post(key, { mode: 'branch', fromSeq: 1 });
      expectRefusal(answer, 409, 'idempotency_key_mismatch');
      expect(answer.json.runId).toBeUndefined();
    });

    it('keeps no refusal of a bad body: the key still serves', async () => {
      const key = randomUUID();
      expectRefusal(await post(key, { mode: 'copy' }), 400, 'validation_error');
      expect((await post(key, REPLAY)).status).toBe(201);
    });

    it('makes a fork for each key, and for each request without one', async () => {
      const { runId } = await endedRun(host, WORKFLOW);
      const answers = [
        await post(randomUUID(), REPLAY),
        await post(randomUUID(), REPLAY),
        await fork(host, runId, REPLAY),
        await fork(host, runId, REPLAY),
      ];
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
      expect(new Set(answers.map(({ json }) => json.runId as unknown)).size).toBe(4);
    });

    it.each([REPLAY, { mode: 'branch', fromSeq: 1 }])(
      'makes one fork of simultaneous requests with one key: %j',
      async (body) => {
        const key = randomUUID();
        const source = await endedRun(host, WORKFLOW);
        const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => post(key, body)));
        const made = answers.filter(({ status }) => status === 200 || status === 201);
        expect(new Set(made.map(({ json }) => json.runId as unknown)).size).toBe(1);
        for (const answer of answers.filter((answer) => !made.includes(answer)))
          expectRefusal(answer, 409, 'idempotency_in_flight');
        const runId = String(made[0]?.json.runId);
        expect((await waitForEnd(host, runId)).status).toBe('completed');
        const events = factsOf(await eventsOf(host, runId));
        expect(events.slice(0, 1)).toEqual(factsOf(source.events).slice(0, 1));
      },
    );
  },
};
