import { LOG_START, type CommittedEvent, type EventLog, type LogCursor } from '../../ports/event-log.js';
import { waitUntil } from '../wait-until.js';
import {
  extend,
  forkRun,
  noted,
  notedMany,
  range,
  readWhole,
  startRun,
  type EventLogCase,
  type OpenCase,
} from './harness.js';

/** Reading all runs; of a log that others write to as well, so each case looks at its own tenant. */
export function wholeLogCases(open: OpenCase): void {
  it('gives committed events of all runs after a cursor, as the runs show them', async () => {
    const testCase = open();
    const { log, tenantId } = testCase;
    const from = await endOfLog(log);
    await startRun(testCase, { runId: 'a', events: [noted(0, { nodeId: 'n' }), noted(1)] });
    await startRun(testCase, { runId: 'b', events: [noted(2, { causationId: 'evt-b-0' })] });
    await extend(testCase, { runId: 'a', expectedHead: 1 });
    const seen = await committed(testCase, from, 4);
    const [a, b] = [await readWhole(testCase, { runId: 'a' }), await readWhole(testCase, { runId: 'b' })];
    expect(seen.map(({ event }) => event)).toEqual([a[0], a[1], b[0], a[2]]);
    expect(seen.every((one) => one.tenantId === tenantId)).toBe(true);
    expectAscending([from, ...seen.map(({ cursor }) => cursor)]);
  });

  it('goes on after any event, at most as many as asked', async () => {
    const testCase = open();
    const { log } = testCase;
    const from = await endOfLog(log);
    await startRun(testCase, { runId: 'a', events: notedMany(5) });
    const seen = await committed(testCase, from, 5);
    for (const [place, { cursor }] of seen.entries()) {
      const rest = (await log.readAll(cursor, 2)).filter(({ tenantId }) => tenantId === testCase.tenantId);
      expect(rest.map(({ event }) => event.sequence)).toEqual(range(5).slice(place + 1, place + 3));
    }
  });

  it('gives at most 500 events or 512 KiB at once, and one at least', async () => {
    const testCase = open();
    const from = await endOfLog(testCase.log);
    const large = (note: number) => noted(note, { payload: { note, text: 'x'.repeat(200_000) } });
    await startRun(testCase, { runId: 'a', events: [...range(4).map(large), ...notedMany(600)] });
    await committed(testCase, from, 604);
    const first = await testCase.log.readAll(from, 10_000);
    expect(first).toHaveLength(2);
    const small = await testCase.log.readAll((await committed(testCase, from, 4))[3]?.cursor ?? from, 10_000);
    expect(small).toHaveLength(500);
  });

  it('shows what a fork writes, and not again what it shares', async () => {
    const testCase = open();
    const from = await endOfLog(testCase.log);
    await startRun(testCase, { runId: 'a', events: notedMany(3) });
    await forkRun(testCase, 'fork', { runId: 'a', fromSequence: 2 });
    await extend(testCase, { runId: 'fork', expectedHead: 1 });
    const seen = await committed(testCase, from, 4);
    expect(seen.map(({ event }) => event.eventId)).toEqual(['evt-a-0', 'evt-a-1', 'evt-a-2', 'evt-fork-2']);
  });

  it('skips and repeats nothing while writers commit', async () => {
    const testCase = open();
    const from = await endOfLog(testCase.log);
    const runs = range(8).map((writer) => `run-${writer}`);
    let writing = true;
    const reading = follow(testCase, from, () => writing);
    await Promise.all(
      runs.map(async (runId) => {
        await startRun(testCase, { runId });
        for (const head of range(20)) await extend(testCase, { runId, expectedHead: head });
      }),
    );
    writing = false;
    const seen = [...(await reading)];
    seen.push(...(await committed(testCase, seen.at(-1)?.cursor ?? from, 8 * 21 - seen.length)));
    expectAscending(seen.map(({ cursor }) => cursor));
    for (const runId of runs)
      expect(seen.filter(({ event }) => event.runId === runId).map(({ event }) => event.sequence)).toEqual(
        range(21),
      );
  });

  it('reads from the start of the log', async () => {
    const testCase = open();
    await startRun(testCase, { runId: 'a' });
    const [first] = await waitUntil(async () => nonEmpty(await testCase.log.readAll(LOG_START, 1)));
    expect(first?.cursor).not.toEqual(LOG_START);
  });
}

function nonEmpty<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length > 0 ? items : undefined;
}

/** A place behind everything that is committed; a transaction of others may still hide something after it. */
export async function endOfLog(log: EventLog): Promise<LogCursor> {
  let cursor = LOG_START;
  for (;;) {
    const last = (await log.readAll(cursor, 500)).at(-1);
    if (!last) return cursor;
    cursor = last.cursor;
  }
}

/** The case's own events after a place, once there are `count`. */
export async function committed(
  { log, tenantId }: EventLogCase,
  from: LogCursor,
  count: number,
): Promise<readonly CommittedEvent[]> {
  let cursor = from;
  const seen: CommittedEvent[] = [];
  return waitUntil(async () => {
    const batch = await log.readAll(cursor, 100);
    cursor = batch.at(-1)?.cursor ?? cursor;
    seen.push(...batch.filter((one) => one.tenantId === tenantId));
    return seen.length >= count && seen;
  });
}

async function follow(
  { log, tenantId }: EventLogCase,
  from: LogCursor,
  goesOn: () => boolean,
): Promise<readonly CommittedEvent[]> {
  let cursor = from;
  const seen: CommittedEvent[] = [];
  while (goesOn()) {
    const batch = await log.readAll(cursor, 7);
    cursor = batch.at(-1)?.cursor ?? cursor;
    seen.push(...batch.filter((one) => one.tenantId === tenantId));
    if (batch.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return seen;
}

export function expectAscending(cursors: readonly LogCursor[]): void {
  for (const { transactionId, position } of cursors)
    expect([transactionId, position]).toEqual([
      expect.stringMatching(/^\d+$/),
      expect.stringMatching(/^\d+$/),
    ]);
  const keys = cursors.map((cursor) => [BigInt(cursor.transactionId), BigInt(cursor.position)] as const);
  const ascends = keys.every(([transaction, position], index) => {
    const [before, at] = keys[index - 1] ?? [-1n, -1n];
    return transaction > before || (transaction === before && position > at);
  });
  expect(ascends).toBe(true);
}
