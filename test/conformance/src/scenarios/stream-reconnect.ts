// Host specification §3.7 (resume).
import type { Host } from '../client/host.js';
import { eventsOf, pathOf, runToEnd, startRun, waitForEnd } from '../client/runs.js';
import { fixtures, type Scenario } from '../scenario.js';

const DEBUG = '/events?streamMode=debug';

export const scenario: Scenario = {
  name: 'stream-reconnect',
  needs: fixtures('conformance-delay', 'conformance-noop'),
  tests(host) {
    it('goes on after the last event that was seen, losing and repeating none', async () => {
      const runId = await startRun(host, 'conformance-delay');
      const first = await idsUntil(host, runId, 2);
      const lastEventId = String(first.at(-1));
      const rest = await host.readStream(pathOf(runId, DEBUG), { lastEventId });
      expect(rest.status).toBe(200);
      const all = [...first, ...rest.events.map(({ id }) => Number(id))];
      const log = await eventsOf(host, runId);
      expect(all).toEqual(log.map(({ sequence }) => Number(sequence)));
    });

    it('starts anywhere in an ended run', async () => {
      const { runId, events } = await runToEnd(host, 'conformance-noop');
      for (const { sequence } of events) {
        const rest = await host.readStream(pathOf(runId, DEBUG), { lastEventId: String(sequence) });
        expect(rest.status).toBe(200);
        expect(rest.events.map(({ id }) => Number(id))).toEqual(
          events.map((event) => Number(event.sequence)).filter((other) => other > sequence),
        );
      }
    });

    it('sends nothing new after the terminal event, and ends', async () => {
      const { runId, events } = await runToEnd(host, 'conformance-noop');
      const lastEventId = String(events.at(-1).sequence);
      for (const mode of ['updates', 'debug', 'messages']) {
        const path = pathOf(runId, `/events?streamMode=${mode}`);
        const { status, events: frames } = await host.readStream(path, { lastEventId });
        expect([status, frames]).toEqual([200, []]);
      }
    });

    it('opens values with a snapshot, even after the end', async () => {
      const runId = await startRun(host, 'conformance-delay', { inputs: { delayMs: 10 } });
      await waitForEnd(host, runId);
      const lastEventId = String((await eventsOf(host, runId)).at(-1).sequence);
      const { status, events } = await host.readStream(pathOf(runId, '/events?streamMode=values'), {
        lastEventId,
      });
      expect([status, events[0]?.event]).toEqual([200, 'state.snapshot']);
      expect(JSON.parse(events[0]?.data ?? '{}')).toMatchObject({ runId, status: 'completed' });
    });
  },
};

/** Ids of a run's first frames; the connection is then dropped. */
async function idsUntil(host: Host, runId: string, count: number): Promise<readonly number[]> {
  const stream = await host.openStream(pathOf(runId, DEBUG));
  const ids: number[] = [];
  try {
    for await (const frame of stream.frames()) {
      if (frame.kind === 'event') ids.push(Number(frame.id));
      if (ids.length === count) break;
    }
  } finally {
    stream.close();
  }
  return ids;
}
