// Host specification §3.5, §4.9, §15.3 (answers: both shapes taken, the object recorded).
import { expectRefusal, ofType, placeOf } from '../client/expectations.js';
import { eventsOf, pathOf, resume, suspendedRun, waitForStatus } from '../client/runs.js';
import { fixtures, type Scenario } from '../scenario.js';

export const scenario: Scenario = {
  name: 'interrupt-clarification',
  needs: fixtures('conformance-clarification'),
  tests(host) {
    const waiting = () => suspendedRun(host, 'conformance-clarification', 'waiting-input');

    it('waits with its question', async () => {
      const { runId, snapshot } = await waiting();
      expect(snapshot).toMatchObject({ status: 'waiting-input', currentNodeId: 'ask' });
      const events = await eventsOf(host, runId);
      const { payload } = events[placeOf(events, 'interrupt.requested', 'ask')];
      expect(payload.kind).toBe('clarification');
      expect(payload.key).toMatch(/^[^]{1,256}$/);
      const questions: readonly { readonly id: string; readonly question: string }[] = payload.data.questions;
      expect(questions.map(({ id }) => id)).toEqual(['q1']);
      expect(questions[0]?.question).toMatch(/./);
      const stray = Object.keys(payload.data).filter((key) => !['questions', 'contextType'].includes(key));
      expect(stray).toEqual([]);
    });

    it.each([
      ['an object by question', { q1: 'blue' }],
      ['a list of answers', [{ id: 'q1', answer: 'blue' }]],
    ])('takes %s, records the object, and completes', async (_, answers) => {
      const { runId } = await waiting();
      expect((await resume(host, runId, 'ask', { answers })).status).toBe(200);
      await waitForStatus(host, runId, 'completed');
      const events = await eventsOf(host, runId);
      expect(ofType(events, 'clarification.resolved').map(({ payload }) => payload as unknown)).toEqual([
        expect.objectContaining({ nodeId: 'ask', answers: { q1: 'blue' } }),
      ]);
    });

    it.each([
      ['a text', 'blue'],
      ['no answers', {}],
      ['a text for answers', { answers: 'blue' }],
    ])('refuses %s, and waits on', async (_, resumeValue) => {
      const { runId } = await waiting();
      expectRefusal(await resume(host, runId, 'ask', resumeValue), [400, 422], 'validation_error');
      expect((await host.get(pathOf(runId))).json.status).toBe('waiting-input');
    });
  },
};
