import type { CommittedEvent } from '../../ports/event-log.js';
import { waitUntil } from '../wait-until.js';
import { extend, notedMany, range, startRun, type OpenCase } from './harness.js';
import { committed, endOfLog, expectAscending } from './whole-log-cases.js';

export function subscriptionCases(open: OpenCase): void {
  it('hands over what is there and what comes, in order, one batch at a time', async () => {
    const testCase = open();
    const from = await endOfLog(testCase.log);
    await startRun(testCase, { runId: 'run', events: notedMany(3) });
    const seen: CommittedEvent[] = [];
    let atWork = 0;
    const subscription = testCase.log.subscribe(from, async (batch) => {
      atWork += 1;
      expect(atWork).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(...batch.filter(({ tenantId }) => tenantId === testCase.tenantId));
      atWork -= 1;
    });
    await waitUntil(() => seen.length === 3);
    for (const head of range(30, 2)) await extend(testCase, { runId: 'run', expectedHead: head });
    await waitUntil(() => seen.length === 33);
    await subscription.close();
    expect(seen.map(({ event }) => event.sequence)).toEqual(range(33));
    expectAscending(seen.map(({ cursor }) => cursor));
  });

  it('hands over a batch again until it is taken', async () => {
    const testCase = open();
    const from = await endOfLog(testCase.log);
    await startRun(testCase, { runId: 'run', events: notedMany(3) });
    await committed(testCase, from, 3);
    const offered: number[][] = [];
    const taken: number[] = [];
    const subscription = testCase.log.subscribe(from, async (batch) => {
      const own = batch.filter(({ tenantId }) => tenantId === testCase.tenantId);
      const sequences = own.map(({ event }) => event.sequence);
      offered.push(sequences);
      if (offered.length <= 3) throw new TypeError('not now');
      taken.push(...sequences);
    });
    await waitUntil(() => taken.length === 3);
    await extend(testCase, { runId: 'run', expectedHead: 2 });
    await waitUntil(() => taken.length === 4);
    await subscription.close();
    expect(offered.slice(0, 4)).toEqual(range(4).map(() => [0, 1, 2]));
    expect(taken).toEqual([0, 1, 2, 3]);
  });

  it('waits on closing for the batch at work, and calls no more', async () => {
    const testCase = open();
    const from = await endOfLog(testCase.log);
    let [calls, finished, closed] = [0, false, false];
    let finish: () => void = () => undefined;
    const subscription = testCase.log.subscribe(from, async () => {
      calls += 1;
      await new Promise<void>((resolve) => (finish = resolve));
      finished = true;
    });
    await startRun(testCase, { runId: 'run' });
    await waitUntil(() => calls === 1);
    const closing = subscription.close().then(() => (closed = finished));
    await extend(testCase, { runId: 'run', expectedHead: 0 });
    expect(closed).toBe(false);
    finish();
    await closing;
    expect(closed).toBe(true);
    await committed(testCase, from, 2);
    expect(calls).toBe(1);
  });

  it('closes at once while nothing happens, and twice', async () => {
    const testCase = open();
    const subscription = testCase.log.subscribe(await endOfLog(testCase.log), async () => undefined);
    await Promise.all([subscription.close(), subscription.close()]);
  });
}
