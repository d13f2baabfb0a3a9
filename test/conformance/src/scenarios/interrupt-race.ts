// Host specification §3.4 (cancel against resolve), §3.5.
import { envelopeProblems, expectEndedBy, expectRefusal, ofType } from '../client/expectations.js';
import type { Answer, Host } from '../client/host.js';
import { cancel, eventsOf, pathOf, resume, suspendedRun, waitForEnd, waitForStatus } from '../client/runs.js';
import { fixtures, type Scenario } from '../scenario.js';

const ROUNDS = 5;
const AT_ONCE = 8;
const ACCEPT = { action: 'accept' };

type Resolve = (host: Host, runId: string) => Promise<Answer>;

const RESOLVES: readonly (readonly [string, Resolve, readonly number[]])[] = [
  [
    'the legacy path',
    (host, runId) => host.post(pathOf(runId, '/approvals/gate'), ACCEPT),
    [200, 202, 400, 404, 409],
  ],
  [
    'the path of the interrupt',
    (host, runId) => resume(host, runId, 'gate', ACCEPT),
    [200, 202, 400, 404, 409, 422],
  ],
];

export const scenario: Scenario = {
  name: 'interrupt-race',
  needs: fixtures('conformance-approval'),
  tests(host) {
    const waiting = async () => (await suspendedRun(host, 'conformance-approval', 'waiting-approval')).runId;

    it.each(RESOLVES)('lets one of cancel and resolve win, on %s', async (_, resolve, allowed) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const runId = await waiting();
        const ahead = round % 2 === 0 ? undefined : resolve(host, runId);
        const [cancelled, resolved] = await Promise.all([cancel(host, runId), ahead ?? resolve(host, runId)]);
        expect([200, 202, 409]).toContain(cancelled.status);
        expect(allowed).toContain(resolved.status);
        const { status } = await waitForEnd(host, runId);
        const events = await eventsOf(host, runId);
        expectEndedBy(events, `run.${status}`);
        expect(ofType(events, 'interrupt.resolved').length).toBeLessThanOrEqual(1);
        if (resolved.status === 422) expect(resolved.json.error).toBe('interrupt_cancelled');
      }
    });

    it('takes one of many answers at once', async () => {
      const runId = await waiting();
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, place) =>
          resume(host, runId, 'gate', { action: place % 2 === 0 ? 'accept' : 'reject' }),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const lost = answers.filter(({ status }) => status !== 200);
      expect(lost.filter(({ status }) => ![404, 409].includes(status))).toEqual([]);
      expect(lost.flatMap(({ json }) => envelopeProblems(json))).toEqual([]);
      await waitForEnd(host, runId);
      const events = await eventsOf(host, runId);
      expect(ofType(events, 'interrupt.resolved')).toHaveLength(1);
      expect(ofType(events, 'approval.received')).toHaveLength(1);
    });

    it('refuses an answer after the cancellation as such', async () => {
      const runId = await waiting();
      await cancel(host, runId);
      await waitForStatus(host, runId, 'cancelled');
      expectRefusal(await resume(host, runId, 'gate', ACCEPT), 422, 'interrupt_cancelled');
    });
  },
};
