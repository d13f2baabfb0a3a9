import type { RunEvent } from '../documents.js';
import { PalimpsestClient } from '../palimpsest-client.js';
import {
  brokenStream,
  frame,
  json,
  LocalServer,
  page,
  refusal,
  silentStream,
  stopServers,
  stream,
  type Answer,
} from '../testing/local-server.js';
import { reconnectDelay } from './follow-frames.js';

type Scene = { client: PalimpsestClient; server: LocalServer; sleeps: number[] };

async function setup(...answers: readonly Answer[]): Promise<Scene> {
  const server = await LocalServer.start(...answers);
  const sleeps: number[] = [];
  const sleep = async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted();
    sleeps.push(milliseconds);
  };
  return { server, sleeps, client: new PalimpsestClient({ url: server.url, key: 'k' }, { sleep }) };
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const seen: Item[] = [];
  for await (const item of items) seen.push(item);
  return seen;
}

const sequencesOf = (events: readonly RunEvent[]): number[] => events.map(({ sequence }) => sequence);
const resumes = ({ server }: Scene): unknown[] =>
  server.received
    .filter(({ headers }) => headers.accept === 'text/event-stream')
    .map(({ headers }) => headers['last-event-id']);

const MESSAGE = 'palimpsest.message.appended';
const running = json(200, { runId: 'run_1', status: 'running', lastSequence: 1 });
const completed = json(200, { runId: 'run_1', status: 'completed', lastSequence: 2 });
const [first, second, third] = [frame(0, 'run.started'), frame(1, MESSAGE), frame(2, 'run.completed')];

afterEach(stopServers);

describe('followEvents', () => {
  it('yields events to the terminal one, and asks for what it was told to', async () => {
    const scene = await setup(stream(first, ':keepalive\n\n', second, third));
    const options = { streamMode: ['updates', 'debug'], bufferMs: 200 } as const;
    expect(sequencesOf(await all(scene.client.followEvents('run_1', options)))).toEqual([0, 1, 2]);
    expect(scene.server.received).toMatchObject([
      {
        path: '/v1/runs/run_1/events?streamMode=updates%2Cdebug&bufferMs=200',
        headers: { accept: 'text/event-stream' },
      },
    ]);
  });

  it.each([...Array(second.length - 1).keys()].map((cut) => [cut]))(
    'loses and repeats nothing where the connection breaks %i bytes into a frame',
    async (cut) => {
      const scene = await setup(brokenStream(first, second.slice(0, cut)), stream(second, third));
      expect(sequencesOf(await all(scene.client.followEvents('run_1')))).toEqual([0, 1, 2]);
      expect(resumes(scene)).toEqual([undefined, '0']);
    },
  );

  it('passes over what a server repeats', async () => {
    const scene = await setup(brokenStream(first, second), stream(first, second, third));
    expect(sequencesOf(await all(scene.client.followEvents('run_1')))).toEqual([0, 1, 2]);
  });

  it('reads letters that are split between two pieces', async () => {
    const text = Buffer.from(frame(0, 'run.completed').replace('"payload":{}', '"payload":{"a":"é€"}'));
    const scene = await setup((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      for (const byte of text) response.write(Buffer.from([byte]));
      response.end();
    });
    expect(await all(scene.client.followEvents('run_1'))).toMatchObject([{ payload: { a: 'é€' } }]);
  });

  it('takes batches apart, also one that begins with what is known', async () => {
    const events = [0, 1, 2].map((sequence) => ({
      sequence,
      type: sequence === 2 ? 'run.failed' : MESSAGE,
    }));
    const batch = `id: 2\nevent: batch\ndata: ${JSON.stringify(events)}\n\n`;
    const scene = await setup(stream(batch));
    const seen = await all(scene.client.followEvents('run_1', { lastEventId: '0', bufferMs: 50 }));
    expect(sequencesOf(seen)).toEqual([1, 2]);
    expect(resumes(scene)).toEqual(['0']);
  });

  it('goes on where a proxy ends the stream of a run that is not over', async () => {
    const scene = await setup(stream(first), running, stream(second, third));
    expect(sequencesOf(await all(scene.client.followEvents('run_1')))).toEqual([0, 1, 2]);
    expect([resumes(scene), scene.sleeps]).toEqual([[undefined, '0'], [500]]);
  });

  it('ends with the run where its mode does not show the terminal event', async () => {
    const chunk = frame(1, 'ai.message.chunk');
    const scene = await setup(stream(chunk), completed, stream(frame(4, 'ai.message.chunk')));
    const seen = await all(scene.client.followEvents('run_1', { streamMode: 'messages' }));
    expect(sequencesOf(seen)).toEqual([1, 4]);
    expect(resumes(scene)).toEqual([undefined, '1']);
  });

  it('ends at once behind the terminal event', async () => {
    const scene = await setup(stream(), completed, stream());
    expect(await all(scene.client.followEvents('run_1', { lastEventId: '2' }))).toEqual([]);
    expect([resumes(scene), scene.sleeps]).toEqual([['2', '2'], []]);
  });

  it('takes a stream that has gone silent for broken', async () => {
    const scene = await setup(silentStream(first), stream(second, third));
    const seen = await all(scene.client.followEvents('run_1', { silenceMs: 30 }));
    expect(sequencesOf(seen)).toEqual([0, 1, 2]);
    await scene.server.received[0]?.gone;
  });

  it('waits longer each time that nothing comes, and asks again while the server is busy', async () => {
    const busy = refusal(429, 'rate_limited', { 'retry-after': '3' });
    const scene = await setup(
      brokenStream(),
      brokenStream(),
      busy,
      brokenStream(first),
      stream(second, third),
    );
    await all(scene.client.followEvents('run_1'));
    expect(scene.sleeps).toEqual([500, 1000, 3000, 500]);
    expect([0, 1, 4, 5, 2000].map(reconnectDelay)).toEqual([500, 1000, 8000, 10_000, 10_000]);
  });

  it('ends with a refusal', async () => {
    const scene = await setup(brokenStream(first), refusal(404, 'not_found'));
    await expect(all(scene.client.followEvents('run_1'))).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each<[string, Answer]>([
    ['a page', page(200)],
    ['a document', running],
    ['a frame that is no JSON', stream('id: 0\ndata: {"secret"\n\n')],
    ['a frame that is no object', stream('id: 0\ndata: 7\n\n')],
  ])('says so where it is given %s', async (_, answer) => {
    const error = await all((await setup(answer)).client.followEvents('run_1')).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: 'unexpected_answer' });
    expect(String(error)).not.toContain('secret');
  });

  it('ends its connection when the loop is left', async () => {
    const scene = await setup(silentStream(first, second));
    for await (const { sequence } of scene.client.followEvents('run_1')) if (sequence === 1) break;
    await scene.server.received[0]?.gone;
    expect(scene.server.received).toHaveLength(1);
  });

  it('is ended by its signal, with the reason of that', async () => {
    const stopped = new AbortController();
    const scene = await setup(silentStream(first));
    const seen: number[] = [];
    const following = async (): Promise<void> => {
      for await (const { sequence } of scene.client.followEvents('run_1', { signal: stopped.signal })) {
        seen.push(sequence);
        stopped.abort(new TypeError('enough'));
      }
    };
    await expect(following()).rejects.toThrow('enough');
    await scene.server.received[0]?.gone;
    expect([seen, scene.server.received.length]).toEqual([[0], 1]);
  });
});

describe('followSnapshots', () => {
  const snapshot = (sequence: number, status: string): string =>
    `id: ${sequence}\nevent: state.snapshot\ndata: ${JSON.stringify({ runId: 'run_1', status })}\n\n`;

  it('yields the run as it moves on, without the repetition after a reconnect', async () => {
    const [one, two] = [snapshot(0, 'running'), snapshot(3, 'completed')];
    const scene = await setup(brokenStream(one), stream(one, two));
    const seen = await all(scene.client.followSnapshots('run_1'));
    expect(seen.map(({ status }) => status)).toEqual(['running', 'completed']);
    expect(scene.server.received[0]?.path).toBe('/v1/runs/run_1/events?streamMode=values');
  });
});

describe('waitForTerminal', () => {
  it('answers the snapshot of a run that is over, without a stream', async () => {
    const scene = await setup(completed);
    await expect(scene.client.waitForTerminal('run_1')).resolves.toMatchObject({ status: 'completed' });
    expect(scene.server.received).toHaveLength(1);
  });

  it('follows a run from where it is, then reads it', async () => {
    const scene = await setup(running, stream(third), completed);
    await expect(scene.client.waitForTerminal('run_1')).resolves.toMatchObject({ status: 'completed' });
    expect(resumes(scene)).toEqual(['1']);
  });
});

describe('poll', () => {
  it('asks for what lies behind a sequence', async () => {
    const scene = await setup(json(200, { events: [], isComplete: true }));
    const answer = await scene.client.poll('run_1', { lastSequence: 4, timeoutSeconds: 1 });
    expect(answer).toEqual({ events: [], isComplete: true });
    await scene.client.poll('run_1');
    expect(scene.server.received.map(({ path }) => path)).toEqual([
      '/v1/runs/run_1/events/poll?lastSequence=4&timeout=1',
      '/v1/runs/run_1/events/poll',
    ]);
  });
});
