import type { RecordedEvent } from '@palimpsest/contracts';
import {
  extend,
  forkRequest,
  noted,
  notedMany,
  notes,
  range,
  readWhole,
  startRequest,
  startRun,
  type EventLogCase,
  type OpenCase,
} from './harness.js';

const sequences = (events: readonly RecordedEvent[]) => events.map(({ sequence }) => sequence);

export function readCases(open: OpenCase): void {
  it('answers an unknown run with an empty page', async () => {
    const { log, tenantId } = open();
    for (const backwards of [false, true])
      expect(await log.readRun({ tenantId, runId: 'nowhere', fromSequence: 0, backwards })).toEqual({
        events: [],
      });
  });

  it('reads pages forwards, each naming where to read on', async () => {
    const { log, tenantId } = await withEvents(open(), 7);
    const read = (fromSequence: number, limit: number) =>
      log.readRun({ tenantId, runId: 'run', fromSequence, limit });
    const page = await read(1, 3);
    expect(sequences(page.events)).toEqual([1, 2, 3]);
    expect(page.next).toBe(4);
    const last = await read(4, 3);
    expect(sequences(last.events)).toEqual([4, 5, 6]);
    expect(last).not.toHaveProperty('next');
    expect(await read(7, 3)).toEqual({ events: [] });
    expect(sequences((await read(6, 1)).events)).toEqual([6]);
  });

  it('passes over what a request carries beside the members of the port', async () => {
    const testCase = open();
    const { log, tenantId } = testCase;
    const more = { iteration: 7 };
    await log.append({ ...more, ...startRequest(tenantId) });
    await log.fork({
      ...more,
      ...forkRequest(tenantId, 'fork', { runId: 'run', fromSequence: 1, mode: 'branch' }),
    });
    expect(await log.readRun({ ...more, tenantId, runId: 'fork', fromSequence: 0 })).toMatchObject({
      events: [{ sequence: 0 }],
    });
    expect((await log.listRuns({ ...more, tenantId, limit: 5 })).runs).toHaveLength(2);
  });

  it('reads pages backwards', async () => {
    const { log, tenantId } = await withEvents(open(), 5);
    const read = (fromSequence: number) =>
      log.readRun({ tenantId, runId: 'run', fromSequence, limit: 2, backwards: true });
    const page = await read(1000);
    expect(sequences(page.events)).toEqual([4, 3]);
    expect(page.next).toBe(2);
    expect(sequences((await read(2)).events)).toEqual([2, 1]);
    const last = await read(0);
    expect(sequences(last.events)).toEqual([0]);
    expect(last).not.toHaveProperty('next');
  });

  it('gives at most 500 events at once', async () => {
    const testCase = await withEvents(open(), 400);
    await extend(testCase, { runId: 'run', expectedHead: 399, events: notedMany(220, 400) });
    const { log, tenantId } = testCase;
    const page = await log.readRun({ tenantId, runId: 'run', fromSequence: 0 });
    expect(page.events).toHaveLength(500);
    expect(page.next).toBe(500);
    expect(await notes(testCase, { runId: 'run' })).toEqual(range(620));
    expect(await notes(testCase, { runId: 'run', backwards: true })).toEqual(range(620).toReversed());
  });
}

export function typeCases(open: OpenCase): void {
  const events = range(30).map((note) => noted(note, { type: `test.${['a', 'b', 'c'][note % 3]}` }));
  const kept = (...rests: number[]) => range(30).filter((note) => rests.includes(note % 3));

  it.each([
    ['one type', ['test.b'], kept(1)],
    ['several types, in log order', ['test.c', 'test.a'], kept(0, 2)],
    ['a type named twice', ['test.a', 'test.a'], kept(0)],
    ['a type that does not occur', ['test.z'], []],
    ['no type at all', [], []],
  ])('selects %s', async (_, types, wanted) => {
    const testCase = open();
    await startRun(testCase, { runId: 'run', events });
    for (const limit of [1, 4, 500]) {
      expect(await notes(testCase, { runId: 'run', types, limit })).toEqual(wanted);
      expect(await notes(testCase, { runId: 'run', types, limit, backwards: true })).toEqual(
        wanted.toReversed(),
      );
    }
  });

  it('finds the last of a type before a place', async () => {
    const testCase = open();
    await startRun(testCase, { runId: 'run', events });
    const { log, tenantId } = testCase;
    const last = (fromSequence: number) =>
      log.readRun({ tenantId, runId: 'run', fromSequence, limit: 1, types: ['test.b'], backwards: true });
    expect(sequences((await last(27)).events)).toEqual([25]);
    expect(await last(1)).not.toHaveProperty('next');
    expect(await last(0)).toEqual({ events: [] });
  });
}

export function largePayloadCases(open: OpenCase): void {
  it.each([
    ['ASCII', 'x', 64_000],
    ['three bytes a character', '語', 21_000],
  ])('ends a page at 512 KiB of payload: %s', async (_, letter, length) => {
    const testCase = open();
    const large = (note: number) => noted(note, { payload: { note, text: letter.repeat(length) } });
    await startRun(testCase, { runId: 'run', events: range(6).map(large) });
    for (const batch of [1, 2, 3])
      await extend(testCase, {
        runId: 'run',
        expectedHead: batch * 6 - 1,
        events: range(6, batch * 6).map(large),
      });
    const { log, tenantId } = testCase;
    for (const backwards of [false, true]) {
      const page = await log.readRun({ tenantId, runId: 'run', fromSequence: backwards ? 23 : 0, backwards });
      expect(page.events).toHaveLength(8);
      expect(page.next).toBe(backwards ? 15 : 8);
    }
    expect(await notes(testCase, { runId: 'run' })).toEqual(range(24));
    expect((await readWhole(testCase, { runId: 'run' })).at(-1)?.payload['text']).toBe(letter.repeat(length));
  });
}

export function hugePayloadCases(open: OpenCase): void {
  it('gives an event that is larger than a page by itself', async () => {
    const testCase = open();
    const events = [noted(0), noted(1, { payload: { note: 1, text: 'x'.repeat(600_000) } }), noted(2)];
    await startRun(testCase, { runId: 'run', events });
    const { log, tenantId } = testCase;
    const page = await log.readRun({ tenantId, runId: 'run', fromSequence: 1 });
    expect(sequences(page.events)).toEqual([1]);
    expect(await notes(testCase, { runId: 'run' })).toEqual([0, 1, 2]);
  });
}

async function withEvents(testCase: EventLogCase, count: number): Promise<EventLogCase> {
  await startRun(testCase, { runId: 'run', events: notedMany(count) });
  return testCase;
}
