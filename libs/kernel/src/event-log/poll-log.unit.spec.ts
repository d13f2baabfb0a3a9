import { LOG_START, type CommittedEvent } from '../ports/event-log.js';
import { waitUntil } from '../testing/wait-until.js';
import { LogPoller, type PollOptions } from './poll-log.js';

const AN_HOUR = 3_600_000;

/** A log of numbered events, of one process, whose reads can be made to fail. */
function numberedLog(options: PollOptions) {
  const events: CommittedEvent[] = [];
  const seen: string[] = [];
  const reads: string[] = [];
  const behaviour = { read: () => {}, take: () => {} };
  const readAll = async (after: { position: string }, limit: number) => {
    reads.push(after.position);
    const batch = events.slice(Number(after.position), Number(after.position) + limit);
    behaviour.read();
    return batch;
  };
  const onBatch = async (batch: readonly CommittedEvent[]) => {
    behaviour.take();
    seen.push(...batch.map(({ cursor }) => cursor.position));
  };
  const add = () => {
    const position = String(events.length + 1);
    events.push({ cursor: { transactionId: '1', position } } as CommittedEvent);
  };
  const poller = new LogPoller({ after: LOG_START, readAll, onBatch }, options);
  return { poller, add, seen, reads, behaviour };
}

describe('LogPoller', () => {
  it('looks when it is woken, long before its interval', async () => {
    const { poller, add, seen, reads } = numberedLog({ pollIntervalMs: AN_HOUR });
    await waitUntil(() => reads.length === 1);
    add();
    poller.wake();
    await waitUntil(() => seen.length === 1);
    await poller.close();
  });

  it('does not miss a wake that comes while it reads', async () => {
    const { poller, add, seen, reads, behaviour } = numberedLog({ pollIntervalMs: AN_HOUR });
    await waitUntil(() => reads.length === 1);
    behaviour.read = () => {
      behaviour.read = () => {};
      add();
      poller.wake();
    };
    poller.wake();
    await waitUntil(() => seen.length === 1);
    await poller.close();
  });

  it('looks every interval when nobody wakes it', async () => {
    const { poller, add, seen, reads } = numberedLog({ pollIntervalMs: 1 });
    await waitUntil(() => reads.length >= 3);
    add();
    await waitUntil(() => seen.length === 1);
    await poller.close();
  });

  it('goes on in batches of the size it was given', async () => {
    const { poller, add, seen, reads } = numberedLog({ pollIntervalMs: AN_HOUR, batchSize: 2 });
    await waitUntil(() => reads.length === 1);
    for (let count = 0; count < 5; count += 1) add();
    poller.wake();
    await waitUntil(() => seen.length === 5);
    await waitUntil(() => reads.length === 5);
    expect(reads).toEqual(['0', '0', '2', '4', '5']);
    await poller.close();
  });

  it('reads once, however often the callback fails, and backs off up to a limit', async () => {
    const delays: number[] = [];
    const warn = (fields: object) => void delays.push((fields as { delayMs: number }).delayMs);
    const logger = { debug() {}, info() {}, warn, error() {} };
    const { poller, add, seen, reads, behaviour } = numberedLog({ retryBaseMs: 1, retryMaxMs: 4, logger });
    let failures = 5;
    behaviour.take = () => {
      if ((failures -= 1) >= 0) throw new TypeError('not now');
    };
    add();
    poller.wake();
    await waitUntil(() => seen.length === 1);
    expect(delays).toEqual([1, 2, 4, 4, 4]);
    expect(reads.filter((position) => position === '0').length).toBeLessThanOrEqual(2);
    await poller.close();
  });

  it('tries again when a read fails', async () => {
    const { poller, add, seen, reads, behaviour } = numberedLog({ retryBaseMs: 1 });
    behaviour.read = () => {
      if (reads.length < 4) throw new TypeError('no database');
    };
    add();
    poller.wake();
    await waitUntil(() => seen.length === 1);
    await poller.close();
  });

  it('is not woken from the delay after a failure, but closes in it', async () => {
    const { poller, reads, behaviour } = numberedLog({ retryBaseMs: AN_HOUR, retryMaxMs: AN_HOUR });
    let failed = false;
    behaviour.read = () => {
      failed = true;
      throw new TypeError('no database');
    };
    poller.wake();
    await waitUntil(() => failed);
    const before = reads.length;
    poller.wake();
    await poller.close();
    expect(reads).toHaveLength(before);
  });
});
