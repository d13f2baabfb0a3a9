import type { RunEvent } from '@palimpsest/contracts';
import { followEvents, sseFrameOf } from './follow-events.js';
import { HttpClient } from './http-client.js';

const frame = (sequence: number, type: string): string =>
  `id: ${sequence}\nevent: ${type}\ndata: ${JSON.stringify({ sequence, type })}\n\n`;

describe('sseFrameOf', () => {
  it('reads id and data, and passes comments over', () => {
    expect(sseFrameOf('id: 4\nevent: x\ndata: {"a":1}')).toEqual({ id: '4', data: '{"a":1}' });
    expect(sseFrameOf(':keepalive')).toBeUndefined();
    expect(sseFrameOf('data:one\ndata: two')).toEqual({ data: 'one\ntwo' });
  });
});

describe('followEvents', () => {
  it('goes on where a stream broke, puts split frames together, and ends with the run', async () => {
    const first =
      frame(0, 'run.started') + ':keepalive\n\n' + frame(1, 'palimpsest.message.appended').slice(0, -9);
    const second =
      frame(1, 'palimpsest.message.appended') + frame(2, 'run.completed') + frame(3, 'never read');
    const bodies = [first, second];
    const resumedAfter: (string | undefined)[] = [];
    const stub = (async (_url: string, init: RequestInit) => {
      resumedAfter.push((init.headers as Record<string, string>)['last-event-id']);
      return new Response(inPieces(bodies.shift() ?? ''));
    }) as typeof fetch;
    const client = new HttpClient({ url: 'http://server', key: 'k' }, { fetch: stub });
    const seen: RunEvent[] = [];
    for await (const event of followEvents(client, 'run_1')) seen.push(event);
    expect(seen.map(({ sequence }) => sequence)).toEqual([0, 1, 2]);
    expect(resumedAfter).toEqual([undefined, '0']);
  });
});

function inPieces(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.slice(at, at + 7));
      controller.close();
    },
  });
}
