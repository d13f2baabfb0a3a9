// Host specification §3.7.
import { expectRefusal, ofType, typesOf } from '../client/expectations.js';
import type { EventFrame } from '../client/event-stream.js';
import type { Host, Json } from '../client/host.js';
import { eventsOf, pathOf, runToEnd, startRun, suspendedRun } from '../client/runs.js';
import { fixtures, type Scenario } from '../scenario.js';

/** In `updates` these always are, if the run has them … */
const IN_UPDATES =
  /^(run\.(started|completed|failed|cancelled|paused|resumed)|node\.(completed|failed|skipped|suspended|dispatched)|(approval|clarification|interrupt)\..+|artifact\.created)$/;
/** … and these never. */
const NOT_IN_UPDATES =
  /^(node\.(started|retried)|variable\.changed|version\.pinned|lease\..+|log\.appended)$/;

const KEEPALIVE_MS = 30_000;

export const scenario: Scenario = {
  name: 'stream-modes',
  needs: fixtures('conformance-noop', 'conformance-delay', 'conformance-approval'),
  tests(host) {
    const firstComment = host.early(() => commentOfQuietRun(host));

    it('streams a run from its first event to its last, then ends', async () => {
      const runId = await startRun(host, 'conformance-delay');
      const { status, headers, events } = await host.readStream(pathOf(runId, '/events?streamMode=debug'));
      expect(status).toBe(200);
      expect(headers.get('content-type')).toMatch(/^text\/event-stream\b/);
      expectFramesOf(events, await eventsOf(host, runId));
    });

    it('replays an ended run, then ends', async () => {
      const { runId, events } = await runToEnd(host, 'conformance-noop');
      expectFramesOf((await host.readStream(pathOf(runId, '/events?streamMode=debug'))).events, events);
    });

    it('filters to updates, and does so unasked', async () => {
      const { runId, events } = await runToEnd(host, 'conformance-delay', { inputs: { delayMs: 10 } });
      const updates = (await host.readStream(pathOf(runId, '/events?streamMode=updates'))).events;
      const types = updates.map(({ event }) => event);
      expect(types.filter((type) => NOT_IN_UPDATES.test(type))).toEqual([]);
      const wanted = typesOf(events).filter((type) => IN_UPDATES.test(type));
      expect(types.filter((type) => IN_UPDATES.test(type))).toEqual(wanted);
      expect(types.at(-1)).toBe('run.completed');
      expect((await host.readStream(pathOf(runId, '/events'))).events).toEqual(updates);
      const debug = (await host.readStream(pathOf(runId, '/events?streamMode=debug'))).events;
      expect(debug.length).toBeGreaterThanOrEqual(updates.length);
    });

    it('sends snapshots as values', async () => {
      const runId = await startRun(host, 'conformance-delay');
      const { status, events } = await host.readStream(pathOf(runId, '/events?streamMode=values'));
      expect(status).toBe(200);
      expect(events.length).toBeGreaterThan(0);
      expect(new Set(events.map(({ event }) => event))).toEqual(new Set(['state.snapshot']));
      const snapshots = events.map(({ data }) => JSON.parse(data) as { runId: string; status: string });
      expect(snapshots.filter((snapshot) => snapshot.runId !== runId)).toEqual([]);
      expect(snapshots.at(-1)?.status).toBe('completed');
    });

    it('sends message chunks only, and ends, as messages', async () => {
      const { runId, events } = await runToEnd(host, 'conformance-noop');
      const stream = await host.readStream(pathOf(runId, '/events?streamMode=messages'));
      expect(stream.status).toBe(200);
      const chunks = ofType(events, 'ai.message.chunk').length;
      expect(stream.events.map(({ event }) => event)).toEqual(Array<string>(chunks).fill('ai.message.chunk'));
    });

    it.each(['application/json', 'text/event-stream'])('refuses an unknown mode to %s', async (accept) => {
      const { runId } = await runToEnd(host, 'conformance-noop');
      const answer = await host.get(pathOf(runId, '/events?streamMode=bogus'), { headers: { accept } });
      expectRefusal(answer, 400, 'unsupported_stream_mode');
      const supported: readonly string[] = answer.json.details.supported;
      expect(supported).toContain('updates');
      expect(supported.filter((mode) => !/^(updates|values|messages|debug)$/.test(mode))).toEqual([]);
    });

    it('supports all four modes', async () => {
      const { runId } = await runToEnd(host, 'conformance-noop');
      const { json } = await host.get(pathOf(runId, '/events?streamMode=bogus'));
      expect([...json.details.supported].sort()).toEqual(['debug', 'messages', 'updates', 'values']);
    });

    it('keeps a quiet stream alive', async () => {
      expect(await firstComment()).toBe(true);
    });
  },
};

/** `id:` the sequence, `event:` the type, `data:` the event as the log has it. */
function expectFramesOf(frames: readonly EventFrame[], events: readonly Json[]): void {
  expect(frames.map(({ id, event, data }) => [id, event, JSON.parse(data) as unknown])).toEqual(
    events.map((event) => [String(event.sequence), String(event.type), event as unknown]),
  );
}

/** Whether a comment came while the run waited. */
async function commentOfQuietRun(host: Host): Promise<boolean> {
  const { runId } = await suspendedRun(host, 'conformance-approval', 'waiting-approval');
  const stream = await host.openStream(pathOf(runId, '/events'), { withinMs: KEEPALIVE_MS + 5000 });
  try {
    for await (const frame of stream.frames()) if (frame.kind === 'comment') return true;
    return false;
  } finally {
    stream.close();
  }
}
