import { jest } from '@jest/globals';
import type { RunHeader } from '@palimpsest/contracts';
import type { GatewayOptions } from '../gateway-options.js';
import { EventStreams } from './event-stream.js';
import { EventPolls } from './poll-events.js';
import type { RunTails } from './run-tails.js';
import type { RunWatches } from './run-watches.js';
import { WakeSignal } from './wake-signal.js';

const HOUR_MS = 3_600_000;
const run = { tenantId: 'acme', runId: 'run-1', status: 'running', head: 3 } as RunHeader;
const options = { pollMs: 5, keepAliveMs: 5 } as GatewayOptions;
const tails = {
  read: () => Promise.resolve({ events: [], ended: false }),
  header: () => Promise.resolve(run),
} as unknown as RunTails;

function watchesOver(over: AbortSignal): RunWatches {
  const watch = { signal: new WakeSignal(), over, close: () => Promise.resolve() };
  return { open: () => Promise.resolve(watch) } as unknown as RunWatches;
}

/** Set back by an hour each time that somebody looks at it. */
function setBackForEver(): void {
  let now = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => (now -= HOUR_MS));
}

describe('while the clock of the host is set back', () => {
  const client = new AbortController();
  beforeEach(setBackForEver);
  afterEach(() => jest.restoreAllMocks());

  it('a poll is answered when its time is over', async () => {
    const polls = new EventPolls(tails, watchesOver(client.signal), options);
    const answer = await polls.poll({ run, fromSequence: 4, waitMs: 20, gone: client.signal });
    expect(answer).toMatchObject({ events: [], isComplete: false });
  });

  it('a stream is kept alive', async () => {
    const streams = new EventStreams(tails, watchesOver(client.signal), options);
    const stream = streams.open({
      run,
      fromSequence: 4,
      modes: ['updates'],
      bufferMs: 0,
      gone: client.signal,
    });
    const frames: string[] = [];
    for await (const frame of stream) if (frames.push(String(frame)) === 3) client.abort();
    expect(frames).toEqual([frames[0], frames[0], frames[0]]);
  });
});
