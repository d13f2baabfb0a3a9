// Host specification §3.5, §4.9, §10.2 (`conformance-interrupt-external-event`).
import { envelopeProblems, placeOf } from '../client/expectations.js';
import type { Answer, Host } from '../client/host.js';
import { eventsOf, pathOf, resume, suspendedRun, tokenOf, waitForStatus } from '../client/runs.js';
import { fixtures, type Scenario } from '../scenario.js';

const WORKFLOW = 'conformance-interrupt-external-event';
const NODE = 'wait-for-external';
const CORRELATION = { orderId: 'fixture-order-1', status: 'completed' };

const MISMATCHES: readonly (readonly [string, unknown])[] = [
  ['another order', { ...CORRELATION, orderId: 'fixture-order-2' }],
  ['another status', { ...CORRELATION, status: 'failed' }],
  ['a part of it', { orderId: 'fixture-order-1' }],
  ['nothing', {}],
];

export const scenario: Scenario = {
  name: 'interrupt-external-event-correlation',
  needs: fixtures(WORKFLOW),
  tests(host) {
    const waiting = () => suspendedRun(host, WORKFLOW, 'waiting-external');

    it('waits for its event, with a token for who will send it', async () => {
      const { runId, snapshot } = await waiting();
      expect(snapshot.currentNodeId).toBe(NODE);
      expect(tokenOf(snapshot)).toMatch(/./);
      const events = await eventsOf(host, runId);
      const { payload } = events[placeOf(events, 'interrupt.requested', NODE)];
      expect(payload).toMatchObject({
        kind: 'external-event',
        data: { eventType: 'conformance.external.completed', correlation: CORRELATION },
        timeoutMs: 60_000,
      });
      expect(Object.keys(payload.data).sort()).toEqual(['correlation', 'eventType']);
    });

    it('keeps the token to whom it is for: the log has none', async () => {
      const { runId, snapshot } = await waiting();
      expect(JSON.stringify(await eventsOf(host, runId))).not.toContain(tokenOf(snapshot));
    });

    it.each(MISMATCHES)('refuses %s as 422, and waits on', async (_, resumeValue) => {
      const { runId, snapshot } = await waiting();
      const before = await eventsOf(host, runId);
      const answer = await send(host, tokenOf(snapshot), resumeValue);
      expect([answer.status, envelopeProblems(answer.json)]).toEqual([422, []]);
      expect((await host.get(pathOf(runId))).json.status).toBe('waiting-external');
      expect(await eventsOf(host, runId)).toEqual(before);
    });

    it('goes on to completion with the event that matches, from whoever has the token', async () => {
      const { runId, snapshot } = await waiting();
      const answer = await send(host, tokenOf(snapshot), { ...CORRELATION, externalReference: 'r-1' });
      expect(answer.status).toBeGreaterThanOrEqual(200);
      expect(answer.status).toBeLessThan(300);
      await waitForStatus(host, runId, 'completed');
    });

    it('takes the same from a caller with a key, at the node', async () => {
      const { runId } = await waiting();
      const mismatch = await resume(host, runId, NODE, { ...CORRELATION, orderId: 'fixture-order-2' });
      expect(mismatch.status).toBe(422);
      expect((await resume(host, runId, NODE, CORRELATION)).status).toBe(200);
      await waitForStatus(host, runId, 'completed');
    });
  },
};

function send(host: Host, token: string, resumeValue: unknown): Promise<Answer> {
  const path = `/v1/interrupts/${encodeURIComponent(token)}`;
  return host.request('POST', path, { bare: true, body: { resumeValue } });
}
