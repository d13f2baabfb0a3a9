// Host specification §3.6, §3.9.
import { expectEventEnvelope, expectOrdered } from '../client/expectations.js';
import { eventsOf, runToEnd, type EndedRun } from '../client/runs.js';
import type { Host } from '../client/host.js';
import { fixtures, type Scenario } from '../scenario.js';

const RUNS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['conformance-noop', {}],
  ['conformance-multi-node', {}],
  ['conformance-failure', {}],
  ['conformance-identity', { payload: { a: [1, null] } }],
];

export const scenario: Scenario = {
  name: 'append-ordering',
  needs: fixtures(...RUNS.map(([workflowId]) => workflowId)),
  tests(host) {
    it.each(RUNS)('keeps the log of %s in order, each event whole', async (workflowId, inputs) => {
      const { runId, events } = await runToEnd(host, workflowId, { inputs });
      expectOrdered(events);
      for (const event of events) expectEventEnvelope(event, runId);
    });

    it('never gives an event id twice, in no run', async () => {
      const runs = await all(host);
      const ids = runs.flatMap(({ events }) => events.map(({ eventId }) => String(eventId)));
      expect(new Set(ids).size).toBe(ids.length);
    });

    it('reads the same each time', async () => {
      for (const { runId, events } of await all(host)) expect(await eventsOf(host, runId)).toEqual(events);
    });

    it('names as cause only what stands before in the log', async () => {
      for (const { events } of await all(host)) {
        const seen = new Set<unknown>();
        for (const { eventId, causationId } of events) {
          expect(causationId === undefined || seen.has(causationId)).toBe(true);
          seen.add(eventId);
        }
      }
    });
  },
};

function all(host: Host): Promise<readonly EndedRun[]> {
  return Promise.all(RUNS.map(([workflowId, inputs]) => runToEnd(host, workflowId, { inputs })));
}
