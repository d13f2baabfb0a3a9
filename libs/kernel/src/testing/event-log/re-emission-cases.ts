import { RE_EMIT_EVENTS, type RecordedEvent } from '@palimpsest/contracts';
import type { ReEmitRequest } from '../../ports/event-log.js';
import { brokenLink } from './chain-cases.js';
import {
  extend,
  forkRun,
  isConflict,
  later,
  noted,
  notedMany,
  notes,
  race,
  range,
  readWhole,
  startRun,
  type EventLogCase,
  type OpenCase,
} from './harness.js';

function reEmit({ log, tenantId }: EventLogCase, request: Partial<ReEmitRequest>) {
  return log.reEmit({
    tenantId,
    runId: 'fork',
    fromRunId: 'source',
    fromSequence: 0,
    toSequence: 0,
    at: later(900),
    ...request,
  });
}

/** What a re-emission repeats, with causes of the source's own log by their place. */
function said(events: readonly RecordedEvent[], runId: string) {
  return events.map(({ sequence, type, payload, schemaVersion, nodeId, counts, causationId, chain }) => {
    const cause = causationId?.replace(`evt-${runId}-`, 'here ');
    return { sequence, type, payload, schemaVersion, nodeId, counts, cause, hash: chain?.contentHash };
  });
}

export function reEmissionCases(open: OpenCase): void {
  it('repeats what the source says, of this clock and this log', async () => {
    const testCase = open();
    const counts = { o200k_base: 1, cl100k_base: 2, chars: 3 };
    const causes = ['evt-source-0', 'evt-other-1', 'free'].map((causationId) =>
      noted(causationId, { causationId }),
    );
    await startRun(testCase, {
      runId: 'source',
      events: [noted({ deep: [1e21] }, { counts, nodeId: 'n' }), ...causes],
    });
    await forkRun(testCase, 'fork', { runId: 'source', fromSequence: 0, mode: 'replay' });
    expect(await reEmit(testCase, { toSequence: 1 })).toBe(true);
    const header = { status: 'completed', state: { done: true } } as const;
    expect(await reEmit(testCase, { fromSequence: 2, toSequence: 3, header })).toBe(true);
    expect(await testCase.log.header(testCase.tenantId, 'fork')).toMatchObject({
      ...header,
      head: 3,
      updatedAt: later(900).toISOString(),
    });
    const [source, fork] = await Promise.all(
      ['source', 'fork'].map((runId) => readWhole(testCase, { runId, withChain: true })),
    );
    expect(said(fork ?? [], 'fork')).toEqual(said(source ?? [], 'source'));
    expect(fork?.map(({ causationId }) => causationId)).toEqual([
      undefined,
      'evt-fork-0',
      'evt-other-1',
      'free',
    ]);
    expect(fork?.every(({ timestamp }) => timestamp === later(900).toISOString())).toBe(true);
    expect(await brokenLink(testCase, 'fork')).toBeUndefined();
  });

  it('repeats what the source shares with its ancestors', async () => {
    const testCase = open();
    const caused = (causationId: string) => noted(causationId, { causationId });
    await startRun(testCase, {
      runId: 'a',
      events: [noted(0), caused('evt-a-0'), caused('evt-a-9'), noted(3)],
    });
    await forkRun(testCase, 'b', { runId: 'a', fromSequence: 3 });
    await extend(testCase, { runId: 'b', expectedHead: 2, events: ['evt-b-1', 'evt-a-2'].map(caused) });
    await forkRun(testCase, 'source', { runId: 'b', fromSequence: 5 });
    await extend(testCase, {
      runId: 'source',
      expectedHead: 4,
      events: ['evt-source-4', 'evt-a-1'].map(caused),
    });
    await forkRun(testCase, 'fork', { runId: 'source', fromSequence: 1, mode: 'replay' });
    expect(await reEmit(testCase, { fromSequence: 1, toSequence: 6 })).toBe(true);
    const [source, fork] = await Promise.all(
      ['source', 'fork'].map((runId) => readWhole(testCase, { runId, withChain: true })),
    );
    expect(said(fork ?? [], 'fork')).toEqual(said(source ?? [], 'source'));
    expect(fork?.map(({ chain }) => chain?.writtenIn)).toEqual(['a', ...range(6).map(() => 'fork')]);
    expect(await brokenLink(testCase, 'fork', ['a', 'b', 'source'])).toBeUndefined();
  });

  it('has one winner', async () => {
    const testCase = open();
    await startRun(testCase, { runId: 'source', events: notedMany(6) });
    await forkRun(testCase, 'fork', { runId: 'source', fromSequence: 2, mode: 'replay' });
    const { won, lost } = await race(
      range(4).map(() => reEmit(testCase, { fromSequence: 2, toSequence: 5 })),
    );
    expect(won).toEqual([true]);
    expect(lost).toHaveLength(3);
    expect(lost.every(isConflict)).toBe(true);
    expect(await notes(testCase, { runId: 'fork' })).toEqual(range(6));
  });

  it('refuses another head, a range that is not there, and writes nothing', async () => {
    const [testCase, stranger] = [open(), open()];
    await startRun(testCase, { runId: 'source', events: notedMany(4) });
    await forkRun(testCase, 'fork', { runId: 'source', fromSequence: 2, mode: 'replay' });
    await startRun(stranger, { runId: 'foreign', events: notedMany(9) });
    const header = { status: 'failed' } as const;
    for (const [request, code] of [
      [{ fromSequence: 1, toSequence: 3 }, 'sequence_conflict'],
      [{ fromSequence: 3, toSequence: 3 }, 'sequence_conflict'],
      [{ fromSequence: 2, toSequence: 4 }, 'not_found'],
      [{ fromSequence: 2, toSequence: 3, fromRunId: 'foreign' }, 'not_found'],
      [{ fromSequence: 2, toSequence: 3, runId: 'absent' }, 'sequence_conflict'],
      [{ fromSequence: 2, toSequence: 1 }, 'validation_error'],
      [{ fromSequence: 2, toSequence: 2 + RE_EMIT_EVENTS }, 'validation_error'],
      [{ fromSequence: 4, toSequence: 4, runId: 'source' }, 'validation_error'],
    ] as const)
      await expect(reEmit(testCase, { ...request, header })).rejects.toMatchObject({ code });
    expect(await notes(testCase, { runId: 'fork' })).toEqual([0, 1]);
    expect(await testCase.log.header(testCase.tenantId, 'fork')).toMatchObject({
      head: 1,
      status: 'running',
    });
    expect(await brokenLink(testCase, 'fork', ['source'])).toBeUndefined();
  });
}
