// Host specification §3.7 (`bufferMs`), §0.1 (above 5000 is a 400).
import { expectRefusal } from '../client/expectations.js';
import { scaled } from '../client/deadlines.js';
import type { EventFrame } from '../client/event-stream.js';
import type { Json } from '../client/host.js';
import { eventsOf, pathOf, runToEnd, startRun } from '../client/runs.js';
import { fixtures, type Scenario } from '../scenario.js';

export const scenario: Scenario = {
  name: 'stream-modes-buffer',
  needs: fixtures('conformance-delay', 'conformance-approval', 'conformance-noop'),
  tests(host) {
    it.each([100, 5000])('sends every event once, in batches, with bufferMs=%i', async (bufferMs) => {
      const runId = await startRun(host, 'conformance-delay', { inputs: { delayMs: 500 } });
      const path = pathOf(runId, `/events?streamMode=debug&bufferMs=${bufferMs}`);
      const { status, events: frames } = await host.readStream(path);
      expect(status).toBe(200);
      expect(batched(frames)).toEqual(await eventsOf(host, runId));
    });

    it('delivers a run of a second within two, although bufferMs=4000', async () => {
      const runId = await startRun(host, 'conformance-delay', { inputs: { delayMs: 1000 } });
      const path = pathOf(runId, '/events?streamMode=updates&bufferMs=4000');
      const { events } = await host.readStream(path, { withinMs: scaled(2000) });
      expect(batched(events).at(-1)?.type).toBe('run.completed');
    });

    it('delivers a suspension before the buffer is due', async () => {
      const runId = await startRun(host, 'conformance-approval');
      const path = pathOf(runId, '/events?streamMode=updates&bufferMs=5000');
      const stream = await host.openStream(path, { withinMs: scaled(4000) });
      const seen: Json[] = [];
      try {
        for await (const frame of stream.frames()) {
          if (frame.kind === 'event') seen.push(...batched([frame]));
          if (seen.some(({ type }) => type === 'node.suspended')) break;
        }
      } finally {
        stream.close();
      }
      expect(seen.map(({ type }) => type as unknown)).toContain('node.suspended');
    });

    it('sends single frames with bufferMs=0', async () => {
      const { runId } = await runToEnd(host, 'conformance-noop');
      const { events } = await host.readStream(pathOf(runId, '/events?streamMode=debug&bufferMs=0'));
      const plain = await host.readStream(pathOf(runId, '/events?streamMode=debug'));
      expect(events).toEqual(plain.events);
    });

    it.each(['5001', '60000', '-1', '1.5', 'soon', ''])('refuses bufferMs=%s', async (bufferMs) => {
      const { runId } = await runToEnd(host, 'conformance-noop');
      for (const accept of ['text/event-stream', 'application/json']) {
        const path = pathOf(runId, `/events?bufferMs=${bufferMs}`);
        expectRefusal(await host.get(path, { headers: { accept } }), 400, 'validation_error');
      }
    });
  },
};

/** The events of `batch` frames; each frame's id is the highest sequence in it. */
function batched(frames: readonly EventFrame[]): readonly Json[] {
  return frames.flatMap(({ id, event, data }): readonly unknown[] => {
    expect(event).toBe('batch');
    const events = JSON.parse(data) as readonly Json[];
    expect(events.length).toBeGreaterThan(0);
    expect(id).toBe(String(Math.max(...events.map(({ sequence }) => Number(sequence)))));
    return events;
  });
}
