import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { MemoryTimerStore } from '../timers/memory-timer-store.js';
import type { Timer, TimerStore } from '../timers/timer-store.js';
import { orchestratorMigrations } from './migrations.js';
import { PostgresTimerStore } from './postgres-timer-store.js';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds));
const timer = (runId: string, dueAt: Date, head = 1): Timer => ({ tenantId: 'acme', runId, head, dueAt });

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase([orchestratorMigrations]);
});
afterAll(() => database.drop());
beforeEach(() => database.pool.query('TRUNCATE orchestrator.timers'));

describe.each<[string, () => TimerStore]>([
  ['memory', () => new MemoryTimerStore()],
  ['Postgres', () => new PostgresTimerStore(database.pool)],
])('timers in %s', (_name, create) => {
  let timers: TimerStore;
  beforeEach(() => {
    timers = create();
  });
  const claim = (now: Date, limit = 10) =>
    timers.claimDue({ now, claimedUntil: new Date(now.getTime() + 30_000), limit });

  it('are claimed when they are due, the most overdue first', async () => {
    for (const due of [timer('c', at(9)), timer('b', at(2)), timer('a', at(1))]) await timers.set(due);
    expect(await claim(at(0))).toEqual([]);
    expect(await claim(at(2), 1)).toEqual([timer('a', at(1))]);
    expect(await claim(at(2))).toEqual([timer('b', at(2))]);
    expect(await claim(at(2))).toEqual([]);
  });

  it('are claimed again when the claim has ended', async () => {
    await timers.set(timer('a', at(1)));
    await claim(at(1));
    expect(await claim(at(30))).toEqual([]);
    expect(await claim(at(31))).toEqual([timer('a', at(1))]);
  });

  it('stay claimed for longer where the claim is extended, unless they were set anew', async () => {
    await timers.set(timer('a', at(1)));
    await timers.extendClaim(timer('a', at(1)), at(50));
    expect(await claim(at(1))).toHaveLength(1);
    await timers.extendClaim(timer('a', at(1), 2), at(50));
    await timers.extendClaim(timer('a', at(1)), at(40));
    expect(await claim(at(39))).toEqual([]);
    expect(await claim(at(40))).toEqual([timer('a', at(1))]);
    await timers.set(timer('a', at(41)));
    await timers.extendClaim(timer('a', at(1)), at(59));
    expect(await claim(at(41))).toEqual([timer('a', at(41))]);
  });

  it('are each claimed by one of many at once', async () => {
    const due = Array.from({ length: 40 }, (_, place) => timer(`run-${place}`, at(1)));
    await Promise.all(due.map((each) => timers.set(each)));
    const claims = await Promise.all([1, 2, 3, 4].map(() => claim(at(1), 40)));
    expect(
      claims
        .flat()
        .map(({ runId }) => runId)
        .sort(),
    ).toEqual(due.map(({ runId }) => runId).sort());
  });

  it('replace each other, and the claim, as long as none was decided at a newer head', async () => {
    await timers.set(timer('a', at(1), 5));
    await claim(at(1));
    await timers.set(timer('a', at(2), 5));
    expect(await claim(at(2))).toEqual([timer('a', at(2), 5)]);
    await timers.set(timer('a', at(3), 7));
    await timers.set(timer('a', at(0), 6));
    expect(await claim(at(2))).toEqual([]);
    expect(await claim(at(3))).toEqual([timer('a', at(3), 7)]);
  });

  it('are cleared, unless they were decided at a newer head', async () => {
    const run = { tenantId: 'acme', runId: 'a' };
    await timers.set(timer('a', at(1), 5));
    await timers.clear({ ...run, tenantId: 'other' }, 9);
    await timers.clear(run, 4);
    expect(await timers.nextDue(at(9))).toEqual(at(1));
    await timers.clear(run, 5);
    expect(await timers.nextDue(at(9))).toBeUndefined();
    await timers.set(timer('a', at(1), 5));
    await timers.clear(run);
    expect(await timers.nextDue(at(9))).toBeUndefined();
  });

  it('tell when the next can be claimed, up to a horizon', async () => {
    expect(await timers.nextDue(at(59))).toBeUndefined();
    await timers.set(timer('a', at(1)));
    await timers.set(timer('b', at(40)));
    expect(await timers.nextDue(at(0))).toBeUndefined();
    expect(await timers.nextDue(at(1))).toEqual(at(1));
    await claim(at(1));
    expect(await timers.nextDue(at(30))).toBeUndefined();
    expect(await timers.nextDue(at(50))).toEqual(at(31));
  });
});
