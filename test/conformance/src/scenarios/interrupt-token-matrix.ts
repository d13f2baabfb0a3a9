// Host specification §3.5 (signed tokens), §2.3.
import { expectRefusal } from '../client/expectations.js';
import { eventually } from '../client/deadlines.js';
import type { Answer, Host } from '../client/host.js';
import { cancel, pathOf, suspendedRun, tokenOf, waitForStatus } from '../client/runs.js';
import { fixtures, type Scenario } from '../scenario.js';

const WORKFLOW = 'conformance-interrupt-external-event';
const MATCHING = { orderId: 'fixture-order-1', status: 'completed' };
/** The fixture's own timeout, which no token of it outlives. */
const TIMEOUT_MS = 60_000;
const MALFORMED = ['!!!', 'a.', '.a', 'a.b.c', 'bm9uc2Vuc2U.bm9uc2Vuc2U'];

export const scenario: Scenario = {
  name: 'interrupt-token-matrix',
  needs: fixtures(WORKFLOW),
  tests(host) {
    const waiting = () => suspendedRun(host, WORKFLOW, 'waiting-external');
    const expiring = host.early(waiting);

    it('shows what is asked to whoever has the token', async () => {
      const answer = await ask(host, 'GET', tokenOf((await waiting()).snapshot));
      expect([answer.status, typeof answer.json]).toEqual([200, 'object']);
    });

    it.each(MALFORMED)('knows no malformed token %s', async (token) => {
      expectRefusal(await ask(host, 'GET', token), [400, 404]);
      expectRefusal(await ask(host, 'POST', token), [400, 404]);
    });

    it('knows no unknown token', async () => {
      const unknown = `tok_${Buffer.from('a token that nobody was given').toString('base64url')}`;
      expectRefusal(await ask(host, 'GET', unknown), 404);
      expectRefusal(await ask(host, 'POST', unknown), 404);
    });

    it('sees through a token that was changed, wherever', async () => {
      const { runId, snapshot } = await waiting();
      const token = tokenOf(snapshot);
      for (const place of [0, Math.floor(token.length / 2), token.length - 6]) {
        const changed = token[place] === 'A' ? 'B' : 'A';
        const forged = token.slice(0, place) + changed + token.slice(place + 1);
        expectRefusal(await ask(host, 'GET', forged), [400, 401, 403, 404]);
        expectRefusal(await ask(host, 'POST', forged), [400, 401, 403, 404]);
      }
      expect((await host.get(pathOf(runId))).json.status).toBe('waiting-external');
    });

    it('serves once', async () => {
      const { runId, snapshot } = await waiting();
      const token = tokenOf(snapshot);
      expect((await ask(host, 'POST', token)).status).toBe(200);
      expectRefusal(await ask(host, 'POST', token), 409, 'interrupt_already_resolved');
      await waitForStatus(host, runId, 'completed');
      expectRefusal(await ask(host, 'POST', token), 409, 'interrupt_already_resolved');
    });

    it('serves no more once its run is cancelled', async () => {
      const { runId, snapshot } = await waiting();
      await cancel(host, runId);
      await waitForStatus(host, runId, 'cancelled');
      expectRefusal(await ask(host, 'POST', tokenOf(snapshot)), 409, 'interrupt_already_resolved');
    });

    it('expires, at the latest with the wait itself', async () => {
      const token = tokenOf((await expiring()).snapshot);
      const refused = await eventually(
        'the token expires',
        async () => {
          const answer = await ask(host, 'GET', token);
          return answer.status === 200 ? undefined : answer;
        },
        { withinMs: TIMEOUT_MS + 15_000 },
      );
      expectRefusal(refused, 410, 'interrupt_expired');
      expectRefusal(await ask(host, 'POST', token), 410, 'interrupt_expired');
    });
  },
};

function ask(host: Host, method: 'GET' | 'POST', token: string): Promise<Answer> {
  const body = method === 'POST' ? { body: { resumeValue: MATCHING } } : {};
  return host.request(method, `/v1/interrupts/${encodeURIComponent(token)}`, { bare: true, ...body });
}
