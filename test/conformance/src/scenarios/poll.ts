// Host specification §3.8.
import { expectEventEnvelope, expectRefusal, expectUnknown } from '../client/expectations.js';
import { eventsOf, pathOf, resume, runToEnd, suspendedRun } from '../client/runs.js';
import { fixtures, type Scenario } from '../scenario.js';

export const scenario: Scenario = {
  name: 'poll',
  needs: fixtures('conformance-noop', 'conformance-approval'),
  tests(host) {
    it('answers the whole log of an ended run at once', async () => {
      const { runId, events } = await runToEnd(host, 'conformance-noop');
      const { status, json } = await host.get(pathOf(runId, '/events/poll'));
      expect(status).toBe(200);
      expect(json).toMatchObject({
        runId,
        events,
        isComplete: true,
        isTerminal: true,
        runStatus: 'completed',
        lastEventSeq: events.at(-1).sequence,
      });
      for (const event of json.events) expectEventEnvelope(event, runId);
    });

    it.each(['lastSequence', 'since'])('answers what comes after %s', async (parameter) => {
      const { runId, events } = await runToEnd(host, 'conformance-noop');
      for (const after of [-1, ...events.map(({ sequence }) => Number(sequence))]) {
        const { status, json } = await host.get(
          pathOf(runId, `/events/poll?${parameter}=${after}&timeout=1`),
        );
        expect([status, json.events]).toEqual([200, events.filter(({ sequence }) => sequence > after)]);
      }
    });

    it('answers nothing, not an error, past the end', async () => {
      const { runId } = await runToEnd(host, 'conformance-noop');
      const { status, json } = await host.get(pathOf(runId, '/events/poll?lastSequence=100000&timeout=1'));
      expect([status, json.events, json.isComplete]).toEqual([200, [], true]);
    });

    it('answers a suspended run as not complete, at the end of its patience', async () => {
      const { runId } = await suspendedRun(host, 'conformance-approval', 'waiting-approval');
      const log = await eventsOf(host, runId);
      const whole = await host.get(pathOf(runId, '/events/poll'));
      expect(whole.json).toMatchObject({ events: log, isComplete: false, isTerminal: false });
      const path = pathOf(runId, `/events/poll?lastSequence=${log.at(-1).sequence}&timeout=1`);
      const { status, json } = await host.get(path);
      expect(status).toBe(200);
      expect(json).toMatchObject({ events: [], isComplete: false, runStatus: 'waiting-approval' });
    });

    it('waits for what comes next', async () => {
      const { runId } = await suspendedRun(host, 'conformance-approval', 'waiting-approval');
      const last = Number((await eventsOf(host, runId)).at(-1).sequence);
      const waiting = host.get(pathOf(runId, `/events/poll?lastSequence=${last}&timeout=15`));
      expect((await resume(host, runId, 'gate', { action: 'accept' })).status).toBe(200);
      const { status, json } = await waiting;
      expect(status).toBe(200);
      expect(json.events.length).toBeGreaterThan(0);
      expect(json.events[0].sequence).toBeGreaterThan(last);
    });

    it.each(['lastSequence=x', 'lastSequence=1.5', 'lastSequence=', 'since=x', 'timeout=x'])(
      'refuses %s',
      async (query) => {
        const { runId } = await runToEnd(host, 'conformance-noop');
        expectRefusal(await host.get(pathOf(runId, `/events/poll?${query}`)), 400, 'validation_error');
      },
    );

    it('knows no unknown run', async () => {
      expectUnknown(await host.get(pathOf('run-that-nobody-has', '/events/poll')));
    });
  },
};
