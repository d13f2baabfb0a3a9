// Host specification §3.5, §4.9, §10.2 (`conformance-approval`).
import { expectRefusal, expectUnknown, isText, placeOf } from '../client/expectations.js';
import { eventsOf, pathOf, resume, suspendedRun, waitForEnd, waitForStatus } from '../client/runs.js';
import { fixtures, type Scenario } from '../scenario.js';

export const scenario: Scenario = {
  name: 'interrupt-approval',
  needs: fixtures('conformance-approval'),
  tests(host) {
    const waiting = () => suspendedRun(host, 'conformance-approval', 'waiting-approval');

    it('waits at the gate', async () => {
      const { runId, snapshot } = await waiting();
      expect(snapshot).toMatchObject({ status: 'waiting-approval', currentNodeId: 'gate' });
      const events = await eventsOf(host, runId);
      placeOf(events, 'node.suspended', 'gate');
      placeOf(events, 'interrupt.requested', 'gate');
    });

    it('goes on to completion when accepted', async () => {
      const { runId } = await waiting();
      expect((await resume(host, runId, 'gate', { action: 'accept' })).status).toBe(200);
      const snapshot = await waitForStatus(host, runId, 'completed');
      expect(snapshot.currentNodeId ?? null).toBeNull();
      const events = await eventsOf(host, runId);
      const places = [
        'node.suspended',
        'interrupt.resolved',
        'node.resumed',
        'node.completed',
        'run.completed',
      ];
      const found = places.map((type) => placeOf(events, type));
      expect(found).toEqual([...found].sort((one, other) => one - other));
      const { payload } = events[placeOf(events, 'approval.received')];
      expect(payload).toMatchObject({ nodeId: 'gate', action: 'accept' });
      expect(isText(payload.decidedBy)).toBe(true);
      expect(events[placeOf(events, 'interrupt.resolved')].payload).toMatchObject({
        nodeId: 'gate',
        interruptId: events[placeOf(events, 'node.suspended')].payload.interruptId,
      });
    });

    it('ends when rejected, and says so on the log', async () => {
      const { runId } = await waiting();
      expect((await resume(host, runId, 'gate', { action: 'reject' })).status).toBe(200);
      await waitForEnd(host, runId);
      const events = await eventsOf(host, runId);
      expect(events[placeOf(events, 'approval.received')].payload.action).toBe('reject');
    });

    it.each([
      ['an action that the gate does not know', { action: 'maybe' }],
      ['an action that this gate does not offer', { action: 'refine', refineFeedback: { scope: 'whole' } }],
      ['no action', {}],
      ['a text', 'accept'],
      ['null', null],
    ])('refuses %s, and waits on', async (_, resumeValue) => {
      const { runId } = await waiting();
      const before = await eventsOf(host, runId);
      expectRefusal(await resume(host, runId, 'gate', resumeValue), [400, 422], 'validation_error');
      expect((await host.get(pathOf(runId))).json.status).toBe('waiting-approval');
      expect(await eventsOf(host, runId)).toEqual(before);
    });

    it('refuses an answer without resumeValue', async () => {
      const { runId } = await waiting();
      expectRefusal(await host.post(pathOf(runId, '/interrupts/gate'), {}), [400, 422], 'validation_error');
    });

    it('knows no interrupt at another node, nor of an unknown run', async () => {
      const { runId } = await waiting();
      expectRefusal(await resume(host, runId, 'elsewhere', { action: 'accept' }), 404, 'interrupt_not_found');
      expectUnknown(await resume(host, 'run-that-nobody-has', 'gate', { action: 'accept' }));
    });

    it('takes one answer only', async () => {
      const { runId } = await waiting();
      await resume(host, runId, 'gate', { action: 'accept' });
      await waitForStatus(host, runId, 'completed');
      const answer = await resume(host, runId, 'gate', { action: 'reject' });
      expectRefusal(answer, [404, 409]);
      expect(answer.json.error).toBe(
        answer.status === 404 ? 'interrupt_not_found' : 'interrupt_already_resolved',
      );
    });
  },
};
