import { ServiceUnavailableError, silentLogger, type Logger } from '@palimpsest/kernel';
import { waitUntil } from '@palimpsest/kernel/testing';
import { MemoryTimerStore } from './memory-timer-store.js';
import type { Timer, TimerStore } from './timer-store.js';
import { CLAIM_MS, TimerWatch, type TimerWatchOptions } from './timer-watch.js';

const START = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;
const after = (milliseconds: number) => new Date(START + milliseconds);
const timer = (runId: string, dueAt: Date): Timer => ({ tenantId: 'acme', runId, head: 1, dueAt });

let timers: MemoryTimerStore;
let now: Date;
let fired: string[];
let watches: TimerWatch[];

beforeEach(() => {
  timers = new MemoryTimerStore();
  now = after(0);
  fired = [];
  watches = [];
});
afterEach(() => Promise.all(watches.map((watch) => watch.close())));

function watch(changes: Partial<TimerWatchOptions> = {}): TimerWatch {
  const started = new TimerWatch({
    timers,
    clock: { now: () => now },
    logger: silentLogger,
    concurrency: 4,
    pollMs: 1,
    fire: async (due) => {
      fired.push(due.runId);
      await timers.clear(due, due.head);
    },
    ...changes,
  });
  watches.push(started);
  started.start();
  return started;
}

describe('the watch over timers', () => {
  it('fires what is due, more than it takes at once, and nothing before its time', async () => {
    for (let place = 0; place < 10; place += 1) await timers.set(timer(`run-${place}`, after(0)));
    await timers.set(timer('later', after(1)));
    watch();
    await waitUntil(() => fired.length === 10);
    expect(fired).not.toContain('later');
    now = after(1);
    await waitUntil(() => fired.includes('later'));
  });

  it('wakes for a timer that it was told of, without waiting for its next look', async () => {
    let looks = 0;
    const watched = Object.assign(Object.create(timers) as TimerStore, {
      claimDue: (claim: Parameters<TimerStore['claimDue']>[0]) => timers.claimDue(claim),
      nextDue: (horizon: Date) => timers.nextDue(horizon).finally(() => (looks += 1)),
    });
    const patient = watch({ timers: watched, pollMs: HOUR_MS });
    await waitUntil(() => looks === 1);
    await timers.set(timer('told', after(0)));
    patient.expect(after(0));
    await waitUntil(() => fired.includes('told'));
  });

  it('wakes for the next timer that it found itself', async () => {
    await timers.set(timer('first', after(0)));
    await timers.set(timer('second', after(5)));
    watch({
      pollMs: HOUR_MS,
      fire: async (due) => {
        fired.push(due.runId);
        await timers.clear(due, due.head);
        now = after(5);
      },
    });
    await waitUntil(() => fired.includes('second'));
  });

  it('fires again what could not be done, once the claim has ended, and says so without content', async () => {
    const warned: object[] = [];
    const logger: Logger = { ...silentLogger, warn: (fields) => void warned.push(fields) };
    await timers.set(timer('bad', after(0)));
    await timers.set(timer('good', after(0)));
    let attempts = 0;
    watch({
      logger,
      fire: async (due) => {
        if (due.runId === 'bad' && (attempts += 1) === 1) throw new ServiceUnavailableError('The log');
        fired.push(due.runId);
        await timers.clear(due, due.head);
      },
    });
    await waitUntil(() => fired.includes('good') && warned.length > 0);
    expect(warned).toEqual([{ code: 'service_unavailable', runId: 'bad' }]);
    expect(fired).toEqual(['good']);
    now = after(CLAIM_MS);
    await waitUntil(() => fired.includes('bad'));
  });

  it('goes on when the database is back', async () => {
    let answers = 0;
    const flaky = Object.assign(Object.create(timers) as TimerStore, {
      claimDue: (claim: Parameters<TimerStore['claimDue']>[0]) =>
        (answers += 1) < 3
          ? Promise.reject(new ServiceUnavailableError('The database'))
          : timers.claimDue(claim),
      nextDue: (horizon: Date) => timers.nextDue(horizon),
    });
    await timers.set(timer('a', after(0)));
    watch({ timers: flaky });
    await waitUntil(() => fired.length === 1);
    expect(answers).toBeGreaterThanOrEqual(3);
  });

  it('waits for what is at work when it closes, and fires nothing afterwards', async () => {
    let finish: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (finish = resolve));
    await timers.set(timer('a', after(0)));
    let begun = false;
    let done = false;
    const closing = watch({
      fire: async () => {
        begun = true;
        await held;
        done = true;
      },
    });
    await waitUntil(() => begun);
    const closed = closing.close();
    finish();
    await closed;
    expect(done).toBe(true);
    closing.expect(after(0));
    await closing.close();
    expect(fired).toEqual([]);
  });

  describe('with work that takes long', () => {
    let finish: () => void;
    let held: Promise<void>;
    const slowly: TimerWatchOptions['fire'] = async (due) => {
      fired.push(due.runId);
      if (due.runId.startsWith('slow')) await held;
      await timers.clear(due, due.head);
    };
    beforeEach(() => {
      held = new Promise<void>((resolve) => (finish = resolve));
    });
    afterEach(() => finish());

    it('fires other timers meanwhile, and keeps the claim of those at work', async () => {
      for (const name of ['slow-1', 'slow-2']) await timers.set(timer(name, after(0)));
      watch({ concurrency: 2, longMs: 1, fire: slowly });
      await waitUntil(() => fired.length === 2);
      await timers.set(timer('quick', after(0)));
      await waitUntil(() => fired.includes('quick'));
      for (let round = 1; round < 4; round += 1) {
        now = after(round * (CLAIM_MS - 1));
        const claimedUntil = now.getTime() + CLAIM_MS;
        await waitUntil(
          async () => (await timers.nextDue(new Date(claimedUntil)))?.getTime() === claimedUntil,
        );
      }
      expect(fired.filter((name) => name.startsWith('slow'))).toHaveLength(2);
    });

    it('takes no more of it than four times its bound, and goes on when there is room', async () => {
      for (let place = 0; place < 5; place += 1) await timers.set(timer(`slow-${place}`, after(0)));
      watch({ concurrency: 1, longMs: 1, fire: slowly });
      await waitUntil(() => fired.length === 4);
      finish();
      await waitUntil(() => fired.length === 5);
    });
  });
});
