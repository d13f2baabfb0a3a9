import { ServiceUnavailableError, type Clock, type Logger } from '@palimpsest/kernel';
import { clockContract, waitUntil } from '@palimpsest/kernel/testing';
import { InProcessBus } from './in-process-bus.js';
import { MemoryStreamStore } from './memory-stream-store.js';
import type { Timers } from './timers.js';

/** Stands still until it is moved; timers fire in order on the way. */
class FakeTime implements Clock, Timers {
  #now = Date.UTC(2030, 0, 1);
  #timers: { readonly at: number; readonly run: () => void }[] = [];

  now(): Date {
    return new Date(this.#now);
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { at: this.#now + delayMs, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      await settled();
      const [next] = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
    this.#now = end;
    await settled();
  }
}

clockContract('of the specs below', () => new FakeTime());

/** Lets everything run that waits for no timer: the memory store answers within a few turns of the loop. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

const stream = { name: 'WORK', kind: 'work', subject: 'work.>' } as const;
const job = { id: 'job', subject: 'work.x', body: { n: 1 } };

describe('the in-process bus and time', () => {
  let time: FakeTime;
  let store: MemoryStreamStore;
  let bus: InProcessBus;
  beforeEach(() => {
    time = new FakeTime();
    store = new MemoryStreamStore();
    bus = new InProcessBus({ store, clock: time, timers: time });
  });

  it('delivers a failing message after 250, 500, 1000 and 2000 ms, then buries it', async () => {
    const startedAt = time.now().getTime();
    const offsets: number[] = [];
    await bus.consume({ stream, durable: 'd' }, async () => {
      offsets.push(time.now().getTime() - startedAt);
      throw new TypeError('broken');
    });
    await bus.publish(stream, job);
    await time.advance(60_000);
    expect(offsets).toEqual([0, 250, 750, 1750, 3750]);
    expect(await bus.deadLetters(stream, 10)).toMatchObject([{ id: 'job', attempts: 5 }]);
  });

  it('delivers after exactly the time that a retryable error names', async () => {
    let attempts = 0;
    await bus.consume({ stream, durable: 'd' }, async () => {
      attempts += 1;
      throw new ServiceUnavailableError('The model', { retryAfterMs: 45_000 });
    });
    await bus.publish(stream, job);
    await time.advance(44_999);
    expect(attempts).toBe(1);
    await time.advance(1);
    expect(attempts).toBe(2);
  });

  it('delivers again after 30 s of silence, and not while the handler says it works', async () => {
    const attempts: number[] = [];
    let say: () => void = () => undefined;
    let finish: () => void = () => undefined;
    await bus.consume({ stream, durable: 'd', concurrency: 2 }, async ({ attempt, working }) => {
      attempts.push(attempt);
      say = working;
      if (attempt === 1) await new Promise<void>((resolve) => (finish = resolve));
    });
    await bus.publish(stream, job);
    await time.advance(29_000);
    say();
    await time.advance(29_999);
    expect(attempts).toEqual([1]);
    await time.advance(1);
    expect(attempts).toEqual([1, 2]);
    finish();
    await time.advance(120_000);
    expect(attempts).toEqual([1, 2]);
  });

  it('drops a repeated id for two minutes', async () => {
    let calls = 0;
    await bus.consume({ stream, durable: 'd' }, async () => void (calls += 1));
    await bus.publish(stream, job);
    await time.advance(119_999);
    await bus.publish(stream, job);
    await time.advance(1);
    expect(calls).toBe(1);
    await bus.publish(stream, job);
    await time.advance(0);
    expect(calls).toBe(2);
  });

  it('times a request out after two seconds unless told otherwise', async () => {
    const failed: string[] = [];
    await bus.respond('never', 'q', () => new Promise(() => undefined));
    void bus.request('never', 1).catch(() => failed.push('default'));
    void bus.request('never', 1, { timeoutMs: 5000 }).catch(() => failed.push('patient'));
    await time.advance(1999);
    expect(failed).toEqual([]);
    await time.advance(1);
    expect(failed).toEqual(['default']);
    await time.advance(3000);
    expect(failed).toEqual(['default', 'patient']);
  });

  it('keeps nothing of a limits stream that nobody reads', async () => {
    const events = { name: 'EVENTS', kind: 'limits', subject: 'events.>' } as const;
    await bus.publish(events, { id: 'early', subject: 'events.x', body: 1 });
    const seen: string[] = [];
    await bus.consume({ stream: events, durable: 'd' }, async ({ id }) => void seen.push(id));
    await bus.publish(events, { id: 'late', subject: 'events.x', body: 2 });
    await time.advance(0);
    expect(seen).toEqual(['late']);
  });
});

describe('the in-process bus and a store that fails', () => {
  class BrokenStore extends MemoryStreamStore {
    broken = new Set<string>();

    override take(...args: Parameters<MemoryStreamStore['take']>) {
      return this.#unless('take', () => super.take(...args));
    }

    override acknowledge(...args: Parameters<MemoryStreamStore['acknowledge']>) {
      return this.#unless('acknowledge', () => super.acknowledge(...args));
    }

    override bury(...args: Parameters<MemoryStreamStore['bury']>) {
      return this.#unless('bury', () => super.bury(...args));
    }

    override append(...args: Parameters<MemoryStreamStore['append']>) {
      return this.#unless('append', () => super.append(...args));
    }

    async #unless<Result>(operation: string, work: () => Promise<Result>): Promise<Result> {
      if (this.broken.has(operation)) throw new ServiceUnavailableError('The database');
      return work();
    }
  }

  let time: FakeTime;
  let store: BrokenStore;
  let bus: InProcessBus;
  const lines: string[] = [];
  const logger: Logger = {
    debug: (fields, message) => void lines.push(JSON.stringify([fields, message])),
    info: (fields, message) => void lines.push(JSON.stringify([fields, message])),
    warn: (fields, message) => void lines.push(JSON.stringify([fields, message])),
    error: (fields, message) => void lines.push(JSON.stringify([fields, message])),
  };
  beforeEach(() => {
    time = new FakeTime();
    store = new BrokenStore();
    lines.length = 0;
    bus = new InProcessBus({ store, clock: time, timers: time, logger });
  });

  it('goes on when the store is back', async () => {
    const seen: string[] = [];
    await bus.consume({ stream, durable: 'd' }, async ({ id }) => void seen.push(id));
    store.broken.add('take');
    await bus.publish(stream, job);
    await time.advance(10_000);
    expect(seen).toEqual([]);
    store.broken.clear();
    await time.advance(500);
    expect(seen).toEqual(['job']);
  });

  it('tells the publisher', async () => {
    store.broken.add('append');
    await expect(bus.publish(stream, job)).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('delivers again what it could not acknowledge', async () => {
    const attempts: number[] = [];
    store.broken.add('acknowledge');
    await bus.consume({ stream, durable: 'd' }, async ({ attempt }) => void attempts.push(attempt));
    await bus.publish(stream, job);
    await time.advance(1000);
    store.broken.clear();
    await time.advance(30_000);
    expect(attempts).toEqual([1, 2]);
  });

  it('loses no message that it could not bury, and logs no content', async () => {
    store.broken.add('bury');
    await bus.consume({ stream, durable: 'd', maxAttempts: 1 }, async () => {
      throw new TypeError('said: a secret');
    });
    await bus.publish(stream, { ...job, body: { text: 'a secret' } });
    await time.advance(1000);
    expect(await bus.deadLetters(stream, 10)).toEqual([]);
    store.broken.clear();
    await time.advance(30_000);
    await waitUntil(async () => (await bus.deadLetters(stream, 10)).length === 1);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join('\n')).not.toContain('secret');
  });
});
