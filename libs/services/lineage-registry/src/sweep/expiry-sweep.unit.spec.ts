import { ServiceUnavailableError, silentLogger, TerminalError } from '@palimpsest/kernel';
import { MemoryWorkgroupStore } from '../store/memory-workgroup-store.js';
import { opened, registered } from '../testing/sample-events.js';
import { ExpirySweep, type SweptStore } from './expiry-sweep.js';

const START = Date.UTC(2030, 0, 1);
const CONTENT = 'what was said';

describe('the sweep', () => {
  let now: number;
  let store: MemoryWorkgroupStore;
  let logged: object[];
  const logger = { ...silentLogger, warn: (fields: object) => logged.push(fields) };
  const sweepOf = (changes: Partial<SweptStore> = {}) => {
    const swept: SweptStore = {
      withExpired: (limit) => store.withExpired(limit),
      decide: (change, decide) => store.decide(change, decide),
      forgetCommands: () => store.forgetCommands(),
      ...changes,
    };
    return new ExpirySweep({ store: swept, logger });
  };

  beforeEach(() => {
    now = START;
    logged = [];
    store = new MemoryWorkgroupStore({ now: () => now });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** A workgroup with a lease of so many milliseconds. */
  async function lease(workgroupId: string, ms: number): Promise<void> {
    const events = [opened, registered(`${workgroupId}-1`, 1, new Date(START + ms).toISOString())];
    await store.decide({ tenantId: 'acme', workgroupId }, () => ({ events, answer: {} }));
  }

  async function statuses(): Promise<readonly (string | undefined)[]> {
    const found = ['a', 'b', 'c'].map((workgroupId) => store.lineage('acme', `${workgroupId}-1`));
    return (await Promise.all(found)).map((reading) => reading?.lineage.status);
  }

  it.each([
    [999, ['held', 'held', 'held']],
    [1000, ['evicted', 'held', 'held']],
    [1001, ['evicted', 'evicted', 'held']],
  ])('ends the leases that are over after %d ms, by the clock of the store', async (ms, after) => {
    await lease('a', 1000);
    await lease('b', 1001);
    await lease('c', 1002);
    now = START + ms;
    await sweepOf().sweep();
    expect(await statuses()).toEqual(after);
    const { lineage } = (await store.lineage('acme', 'a-1')) ?? {};
    expect(lineage?.eviction).toBe(after[0] === 'evicted' ? 'LEASE_EXPIRED' : null);
    expect(logged).toEqual([]);
  });

  it('records each end once, however often it sweeps', async () => {
    await lease('a', 0);
    for (let sweeps = 0; sweeps < 3; sweeps++) await sweepOf().sweep();
    const events = await store.events({ tenantId: 'acme', workgroupId: 'a', after: -1, limit: 9 });
    expect(events.map(({ type }) => type)).toEqual([
      'palimpsest.workgroup.opened',
      'palimpsest.lineage.registered',
      'palimpsest.lineage.evicted',
    ]);
  });

  it('forgets old answers', async () => {
    await store.decide({ tenantId: 'acme', workgroupId: 'a', commandId: 'c' }, () => ({
      events: [opened],
      answer: {},
    }));
    now = START + 86_400_001;
    await sweepOf().sweep();
    expect(await store.forgetCommands()).toBe(0);
  });

  it('goes on to the other workgroups after one that fails, and logs a code only', async () => {
    await lease('a', 0);
    await lease('b', 1);
    await lease('c', 2);
    now = START + 2;
    const failures: Record<string, Error> = {
      a: new TypeError(CONTENT),
      b: new TerminalError('forbidden', CONTENT),
    };
    const decide: SweptStore['decide'] = (change, decider) => {
      const failure = failures[change.workgroupId];
      return failure ? Promise.reject(failure) : store.decide(change, decider);
    };
    await sweepOf({ decide }).sweep();
    expect(await statuses()).toEqual(['held', 'held', 'evicted']);
    expect(logged).toEqual([{ code: 'internal_error' }, { code: 'forbidden' }]);
  });

  /** Those give no answer; which ones were asked, in their order. */
  function without(...stuck: readonly string[]): { readonly asked: string[]; readonly sweep: ExpirySweep } {
    const asked: string[] = [];
    const decide: SweptStore['decide'] = (change, decider) => {
      asked.push(change.workgroupId);
      return stuck.includes(change.workgroupId)
        ? Promise.reject(new ServiceUnavailableError(CONTENT))
        : store.decide(change, decider);
    };
    return { asked, sweep: sweepOf({ decide }) };
  }

  it('goes on to the others, and forgets old answers, while one workgroup gives no answer', async () => {
    await lease('a', 0);
    await lease('b', 1);
    await lease('c', 2);
    await store.decide({ tenantId: 'acme', workgroupId: 'd', commandId: 'c' }, () => ({
      events: [],
      answer: {},
    }));
    now = START + 86_400_001;
    await without('a').sweep.sweep();
    expect(await statuses()).toEqual(['held', 'evicted', 'evicted']);
    expect(logged).toEqual([{ code: 'service_unavailable' }]);
    expect(await store.forgetCommands()).toBe(0);
  });

  it.each([
    [
      ['a', 'b'],
      ['a', 'b', 'c', 'd', 'e'],
    ],
    [
      ['a', 'b', 'd', 'e'],
      ['a', 'b', 'c', 'd', 'e'],
    ],
    [
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ],
    [
      ['b', 'c', 'd', 'e'],
      ['a', 'b', 'c', 'd'],
    ],
  ])(
    'leaves the others for the next sweep once three in a row gave no answer: %j',
    async (stuck, expected) => {
      for (const [ms, workgroupId] of ['a', 'b', 'c', 'd', 'e'].entries()) await lease(workgroupId, ms);
      now = START + 9;
      const { asked, sweep } = without(...stuck);
      await sweep.sweep();
      expect(asked).toEqual(expected);
    },
  );

  it('comes to those last that gave no answer the last time', async () => {
    for (const [ms, workgroupId] of ['a', 'b', 'c', 'd', 'e'].entries()) await lease(workgroupId, ms);
    now = START + 9;
    const { asked, sweep } = without('a', 'b', 'c');
    for (let sweeps = 0; sweeps < 3; sweeps++) await sweep.sweep();
    expect(asked).toEqual(['a', 'b', 'c', 'd', 'e', 'a', 'b', 'c', 'a', 'b', 'c']);
  });

  it('forgets old answers where no lease can be looked for, and the other way round', async () => {
    const forgetCommands = jest.fn(() => Promise.reject(new ServiceUnavailableError(CONTENT)));
    await sweepOf({ withExpired: () => Promise.reject(new TypeError(CONTENT)), forgetCommands }).sweep();
    expect(forgetCommands).toHaveBeenCalledTimes(1);
    await lease('a', 0);
    await sweepOf({ forgetCommands }).sweep();
    expect((await statuses())[0]).toBe('evicted');
    expect(logged).toEqual([
      { code: 'internal_error' },
      { code: 'service_unavailable' },
      { code: 'service_unavailable' },
    ]);
  });

  it.each([
    [new TypeError(CONTENT), 'internal_error'],
    [new ServiceUnavailableError(CONTENT), 'service_unavailable'],
  ])('does not fail where nothing can be looked for: %#', async (failure, code) => {
    await sweepOf({ withExpired: () => Promise.reject(failure) }).sweep();
    expect(logged).toEqual([{ code }]);
  });

  it('is one at a time, and stops once the one under way is over', async () => {
    let answer: (keys: []) => void = () => undefined;
    const withExpired = jest.fn(() => new Promise<[]>((resolve) => (answer = resolve)));
    const sweep = sweepOf({ withExpired });
    const sweeps = [sweep.sweep(), sweep.sweep()];
    expect(withExpired).toHaveBeenCalledTimes(1);
    let isStopped = false;
    const stopping = sweep.stop().then(() => (isStopped = true));
    await Promise.resolve();
    expect(isStopped).toBe(false);
    answer([]);
    await Promise.all([...sweeps, stopping]);
    const next = sweep.sweep();
    expect(withExpired).toHaveBeenCalledTimes(2);
    answer([]);
    await next;
  });

  it('comes at once and then every 5 seconds, until it is stopped', async () => {
    jest.useFakeTimers();
    const withExpired = jest.fn(() => Promise.resolve([]));
    const sweep = sweepOf({ withExpired });
    const called = async (afterMs: number) => {
      await jest.advanceTimersByTimeAsync(afterMs);
      return withExpired.mock.calls.length;
    };
    sweep.start();
    sweep.start();
    expect([await called(0), await called(4999), await called(1), await called(5000)]).toEqual([1, 1, 2, 3]);
    await sweep.stop();
    expect(await called(50_000)).toBe(3);
  });
});
