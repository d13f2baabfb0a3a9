import { createHash } from 'node:crypto';
import type { RecordedEvent, RunHeader } from '@palimpsest/contracts';
import type { ChainHash } from '../../event-log/chain.js';
import { firstBrokenLink, type BrokenLink } from '../../event-log/verify-chain.js';
import {
  extend,
  forkRun,
  later,
  noted,
  notedMany,
  race,
  range,
  readWhole,
  startRun,
  type EventLogCase,
  type OpenCase,
} from './harness.js';

const digest = (said: Uint8Array | string) => createHash('sha256').update(said);
export const chainHash: ChainHash = {
  sha256: (bytes) => digest(bytes).digest(),
  sha256Hex: (text) => digest(text).digest('hex'),
};

export async function headersOf(
  { log, tenantId }: EventLogCase,
  runIds: readonly string[],
): Promise<RunHeader[]> {
  const headers = await Promise.all(runIds.map((runId) => log.header(tenantId, runId)));
  return headers.flatMap((header) => (header ? [header] : []));
}

/** What is wrong with a run's chain, made again of what the log gives to read. */
export async function brokenLink(
  testCase: EventLogCase,
  runId: string,
  ancestors: readonly string[] = [],
): Promise<BrokenLink | undefined | 'no run'> {
  const [run] = await headersOf(testCase, [runId]);
  if (!run) return 'no run';
  const events = await readWhole(testCase, { runId, withChain: true });
  return firstBrokenLink(chainHash, { run, ancestors: await headersOf(testCase, ancestors), events });
}

export function chainCases(open: OpenCase): void {
  it('can be made again from what is read, whatever the batches', async () => {
    const testCase = open();
    const counts = { o200k_base: 1, cl100k_base: 2, chars: 3 };
    const rich = noted(
      { б: [1e21, 0.1, '\u2028', null], a: {} },
      { counts, nodeId: 'n', causationId: 'evt-run-0' },
    );
    await startRun(testCase, { runId: 'run', events: [noted(0), rich] });
    await extend(testCase, { runId: 'run', expectedHead: 1, events: notedMany(40, 2), at: later(7) });
    await extend(testCase, { runId: 'run', expectedHead: 41 });
    expect(await brokenLink(testCase, 'run')).toBeUndefined();
    const events = await readWhole(testCase, { runId: 'run', withChain: true });
    expect(new Set(events.map(({ chain }) => chain?.link)).size).toBe(43);
    expect(await testCase.log.header(testCase.tenantId, 'run')).toMatchObject({
      link: events.at(-1)?.chain?.link,
    });
  });

  it('is read only by those who ask', async () => {
    const testCase = open();
    await startRun(testCase, { runId: 'run', events: notedMany(2) });
    for (const event of await readWhole(testCase, { runId: 'run' }))
      expect(event).not.toHaveProperty('chain');
    const backwards = await readWhole(testCase, {
      runId: 'run',
      backwards: true,
      withChain: true,
      types: ['test.noted'],
    });
    expect(backwards.map(({ chain }) => chain?.writtenIn)).toEqual(['run', 'run']);
  });

  it('is of the tenant and the run', async () => {
    const [one, other] = [open(), open()];
    const links: (string | undefined)[] = [];
    for (const [testCase, runId] of [
      [one, 'a'],
      [one, 'b'],
      [other, 'a'],
    ] as const) {
      await startRun(testCase, { runId });
      links.push((await testCase.log.header(testCase.tenantId, runId))?.link);
    }
    expect(new Set(links).size).toBe(3);
  });

  it('has one winner of each link where writers race, of one run and of many', async () => {
    const testCase = open();
    const runs = range(8).map((run) => `run-${run}`);
    await Promise.all(runs.map((runId) => startRun(testCase, { runId })));
    for (const head of range(4))
      await race(
        [...runs, ...runs].map((runId, writer) =>
          extend(testCase, { runId, expectedHead: head, events: [noted(`${writer}`)] }),
        ),
      );
    for (const runId of runs) {
      expect(await testCase.log.header(testCase.tenantId, runId)).toMatchObject({ head: 4 });
      expect(await brokenLink(testCase, runId)).toBeUndefined();
    }
  });

  it('of a fork begins with its source and what it is', async () => {
    const testCase = open();
    await startRun(testCase, { runId: 'a', events: notedMany(6) });
    await forkRun(testCase, 'b', { runId: 'a', fromSequence: 4 });
    const beginning = (await testCase.log.header(testCase.tenantId, 'b'))?.link;
    expect(beginning).toMatch(/^[0-9a-f]{64}$/);
    expect(await brokenLink(testCase, 'b', ['a'])).toBeUndefined();
    const foreign = ['evt-a-1', 'evt-b-1', 'evt-a-5', 'free'].map((causationId) => noted(0, { causationId }));
    await extend(testCase, { runId: 'b', expectedHead: 3, events: foreign });
    for (const [fork, source, fromSequence] of [
      ['c', 'b', 6],
      ['d', 'c', 2],
      ['e', 'b', 4],
      ['f', 'b', 0],
      ['g', 'd', 3],
    ] as const) {
      await forkRun(testCase, fork, { runId: source, fromSequence });
      expect(await brokenLink(testCase, fork, ['a', 'b', 'c', 'd'])).toBeUndefined();
      await extend(testCase, { runId: fork, expectedHead: fromSequence - 1, events: notedMany(2) });
      expect(await brokenLink(testCase, fork, ['a', 'b', 'c', 'd'])).toBeUndefined();
    }
    expect(await brokenLink(testCase, 'c', ['a'])).toEqual({ sequence: 4, what: 'writer' });
  });
}

/** Each changes what was read in one way; the chain finds it at the event it was done to. */
const TAMPERINGS: Record<string, [BrokenLink, (events: RecordedEvent[]) => void]> = {
  'a payload': [
    { sequence: 2, what: 'content' },
    (events) => change(events, 2, { payload: { note: 'other' } }),
  ],
  'a type': [{ sequence: 1, what: 'content' }, (events) => change(events, 1, { type: 'test.other' })],
  'a node': [{ sequence: 1, what: 'content' }, (events) => change(events, 1, { nodeId: 'other' })],
  'a time': [
    { sequence: 3, what: 'link' },
    (events) => change(events, 3, { timestamp: later(1).toISOString() }),
  ],
  'an order': [
    { sequence: 1, what: 'sequence' },
    (events) => events.splice(1, 2, ...events.slice(1, 3).reverse()),
  ],
  'a renumbered order': [{ sequence: 1, what: 'content' }, swapped],
  'a missing event': [{ sequence: 2, what: 'sequence' }, (events) => events.splice(2, 1)],
  'a missing end': [{ sequence: 4, what: 'head' }, (events) => events.pop()],
  'a link': [{ sequence: 4, what: 'link' }, (events) => relink(events, 4, { link: '0'.repeat(64) })],
  'a cause': [{ sequence: 4, what: 'link' }, (events) => relink(events, 4, { causationId: 'evt-run-1' })],
  'a writer': [{ sequence: 2, what: 'writer' }, (events) => relink(events, 2, { writtenIn: 'other' })],
};

function change(events: RecordedEvent[], place: number, part: Partial<RecordedEvent>): void {
  events.splice(place, 1, { ...(events[place] as RecordedEvent), ...part });
}

function relink(events: RecordedEvent[], place: number, part: Partial<RecordedEvent['chain']>): void {
  const { chain } = events[place] as RecordedEvent;
  change(events, place, { chain: { ...(chain as NonNullable<typeof chain>), ...part } });
}

function swapped(events: RecordedEvent[]): void {
  const [one, two] = [events[1] as RecordedEvent, events[2] as RecordedEvent];
  events.splice(1, 2, { ...two, sequence: 1 }, { ...one, sequence: 2 });
}

export function tamperingCases(open: OpenCase): void {
  it.each(Object.keys(TAMPERINGS))('is found, where it was done: %s', async (name) => {
    const testCase = open();
    await startRun(testCase, { runId: 'run', events: notedMany(5) });
    const [run] = await headersOf(testCase, ['run']);
    if (!run) throw new Error('The run is gone.');
    const events = await readWhole(testCase, { runId: 'run', withChain: true });
    const [found, tamper] = TAMPERINGS[name] ?? [];
    tamper?.(events);
    expect(await firstBrokenLink(chainHash, { run, ancestors: [], events })).toEqual(found);
  });

  it('is found in a fork record', async () => {
    const testCase = open();
    await startRun(testCase, { runId: 'a', events: notedMany(5) });
    await forkRun(testCase, 'b', { runId: 'a', fromSequence: 3 });
    await extend(testCase, { runId: 'b', expectedHead: 2 });
    const [run, a] = await headersOf(testCase, ['b', 'a']);
    const events = await readWhole(testCase, { runId: 'b', withChain: true });
    if (!run?.origin || !a) throw new Error('The run is gone.');
    const forged = { ...run, origin: { ...run.origin, mode: 'replay' as const } };
    expect(await firstBrokenLink(chainHash, { run: forged, ancestors: [a], events })).toEqual({
      sequence: 3,
      what: 'link',
    });
  });
}
