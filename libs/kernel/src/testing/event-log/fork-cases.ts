import {
  AT,
  extend,
  forkRequest,
  forkRun,
  later,
  noted,
  notedMany,
  notes,
  range,
  readWhole,
  startRun,
  type EventLogCase,
  type OpenCase,
} from './harness.js';

export function forkCases(open: OpenCase): void {
  it('reads its source below the fork point as its own', async () => {
    const testCase = open();
    const counts = { o200k_base: 1, cl100k_base: 2, chars: 3 };
    const payload = { note: 1, about: 'evt-source-0' };
    const second = noted(1, { payload, counts, nodeId: 'n', causationId: 'evt-source-0' });
    await startRun(testCase, { runId: 'source', events: [noted(0), second, noted(2)] });
    expect(await forkRun(testCase, 'fork', { runId: 'source', fromSequence: 2, mode: 'replay' })).toEqual({
      tenantId: testCase.tenantId,
      runId: 'fork',
      workflowId: 'test-workflow',
      status: 'running',
      head: 1,
      createdAt: later(500).toISOString(),
      updatedAt: later(500).toISOString(),
      state: { forked: true },
      origin: { runId: 'source', fromSequence: 2, mode: 'replay' },
      link: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const events = await readWhole(testCase, { runId: 'fork' });
    expect(events).toHaveLength(2);
    expect(events[1]).toEqual({
      eventId: 'evt-fork-1',
      runId: 'fork',
      type: 'test.noted',
      payload,
      timestamp: AT.toISOString(),
      sequence: 1,
      schemaVersion: 1,
      nodeId: 'n',
      causationId: 'evt-fork-0',
      counts,
    });
  });

  it('goes its own way from the fork point', async () => {
    const testCase = open();
    await startRun(testCase, { runId: 'source', events: notedMany(4) });
    await forkRun(testCase, 'fork', { runId: 'source', fromSequence: 2 });
    await extend(testCase, { runId: 'source', expectedHead: 3, events: [noted('source')] });
    expect(await extend(testCase, { runId: 'fork', expectedHead: 1, events: [noted('fork')] })).toEqual({
      firstSequence: 2,
      lastSequence: 2,
      repeated: false,
    });
    expect(await notes(testCase, { runId: 'source' })).toEqual([0, 1, 2, 3, 'source']);
    expect(await notes(testCase, { runId: 'fork' })).toEqual([0, 1, 'fork']);
    expect(await testCase.log.header(testCase.tenantId, 'fork')).toMatchObject({
      head: 2,
      origin: { fromSequence: 2 },
    });
  });

  it('knows no command of its source', async () => {
    const testCase = open();
    await startRun(testCase, { runId: 'source', commandId: 'c' });
    await forkRun(testCase, 'fork', { runId: 'source', fromSequence: 1 });
    expect(await extend(testCase, { runId: 'fork', expectedHead: 0, commandId: 'c' })).toMatchObject({
      firstSequence: 1,
      repeated: false,
    });
  });

  it('may start at 0, sharing nothing', async () => {
    const testCase = open();
    await startRun(testCase, { runId: 'source', events: notedMany(3) });
    expect(await forkRun(testCase, 'fork', { runId: 'source', fromSequence: 0 })).toMatchObject({ head: -1 });
    expect(await notes(testCase, { runId: 'fork' })).toEqual([]);
    await expect(extend(testCase, { runId: 'fork', expectedHead: 0 })).rejects.toMatchObject({
      details: { actualSequence: -1 },
    });
    expect(await extend(testCase, { runId: 'fork', expectedHead: -1, events: [noted('own')] })).toMatchObject(
      {
        firstSequence: 0,
      },
    );
    expect(await notes(testCase, { runId: 'fork' })).toEqual(['own']);
  });

  it('may start right behind the head, and no further', async () => {
    const testCase = open();
    await startRun(testCase, { runId: 'source', events: notedMany(3) });
    expect(await forkRun(testCase, 'fork', { runId: 'source', fromSequence: 3 })).toMatchObject({ head: 2 });
    expect(await notes(testCase, { runId: 'fork' })).toEqual([0, 1, 2]);
    await expect(forkRun(testCase, 'beyond', { runId: 'source', fromSequence: 4 })).rejects.toMatchObject({
      code: 'invalid_from_seq',
      details: { runId: 'source', fromSequence: 4, head: 2 },
    });
    expect(await testCase.log.header(testCase.tenantId, 'beyond')).toBeUndefined();
  });

  it('needs a source, of the same tenant', async () => {
    const [testCase, stranger] = [open(), open()];
    await startRun(stranger, { runId: 'source' });
    await expect(forkRun(testCase, 'fork', { runId: 'source', fromSequence: 0 })).rejects.toMatchObject({
      code: 'not_found',
      retryable: false,
    });
  });

  it('is idempotent for the same origin, and no other', async () => {
    const testCase = open();
    const origin = { runId: 'source', fromSequence: 1, mode: 'branch' } as const;
    await startRun(testCase, { runId: 'source', events: notedMany(3) });
    const made = await forkRun(testCase, 'fork', origin);
    expect(await forkRun(testCase, 'fork', origin)).toEqual(made);
    await extend(testCase, { runId: 'fork', expectedHead: 0 });
    expect(await forkRun(testCase, 'fork', origin)).toMatchObject({
      ...made,
      link: expect.any(String),
      head: 1,
      updatedAt: AT.toISOString(),
    });
    const conflict = { code: 'sequence_conflict', details: { runId: 'fork', actualSequence: 1 } };
    await expect(forkRun(testCase, 'fork', { ...origin, mode: 'replay' })).rejects.toMatchObject(conflict);
    await expect(forkRun(testCase, 'fork', { ...origin, fromSequence: 2 })).rejects.toMatchObject(conflict);
    await expect(forkRun(testCase, 'source', origin)).rejects.toMatchObject({ code: 'sequence_conflict' });
    expect(await notes(testCase, { runId: 'source' })).toEqual([0, 1, 2]);
  });

  it('refuses a state that no store keeps', async () => {
    const testCase = open();
    await startRun(testCase, { runId: 'source' });
    const request = forkRequest(testCase.tenantId, 'fork', {
      runId: 'source',
      fromSequence: 1,
      mode: 'branch',
    });
    await expect(testCase.log.fork({ ...request, state: { a: '\u0000' } })).rejects.toMatchObject({
      code: 'validation_error',
    });
  });
}

export function lineageCases(open: OpenCase): void {
  it('maps a cause that it shares, at any depth, and leaves the others alone', async () => {
    const testCase = open();
    const caused = (causationId: string) => noted(causationId, { causationId });
    const causes = async (runId: string) =>
      (await readWhole(testCase, { runId })).map(({ causationId }) => causationId);
    await startRun(testCase, { runId: 'a', events: [noted(0), caused('evt-a-0'), caused('evt-a-9')] });
    await forkRun(testCase, 'b', { runId: 'a', fromSequence: 3 });
    const ofB = ['evt-b-1', 'evt-a-2', 'evt-b-3', 'evt-other-0', 'evt-a-3', 'not an event id'];
    await extend(testCase, { runId: 'b', expectedHead: 2, events: ofB.map(caused) });
    expect(await causes('b')).toEqual([undefined, 'evt-b-0', 'evt-a-9', ...ofB]);
    // Shares nothing that b wrote itself, but b's history all the same.
    await forkRun(testCase, 'c', { runId: 'b', fromSequence: 3 });
    await extend(testCase, { runId: 'c', expectedHead: 2, events: [caused('evt-b-0')] });
    await forkRun(testCase, 'd', { runId: 'c', fromSequence: 4 });
    expect(await causes('d')).toEqual([undefined, 'evt-d-0', 'evt-a-9', 'evt-d-0']);
    await forkRun(testCase, 'e', { runId: 'b', fromSequence: 9 });
    expect((await causes('e')).slice(3)).toEqual([
      'evt-e-1',
      'evt-e-2',
      'evt-e-3',
      'evt-other-0',
      'evt-a-3',
      'not an event id',
    ]);
  });

  it('reads forks of forks of forks like the logs they stand for', async () => {
    const testCase = open();
    const model = new Map<string, unknown[]>([['r0', range(9)]]);
    await startRun(testCase, { runId: 'r0', events: notedMany(9) });
    // Deeper, back before an ancestor's fork point, at a fork point, and beside.
    const forks: [string, string, number][] = [
      ['r1', 'r0', 5],
      ['r2', 'r1', 8],
      ['r3', 'r2', 10],
      ['r4', 'r3', 4],
      ['r5', 'r3', 8],
      ['r6', 'r5', 5],
      ['r7', 'r6', 8],
      ['r8', 'r7', 0],
      ['r9', 'r3', 13],
    ];
    for (const [fork, source, fromSequence] of forks) {
      await forkRun(testCase, fork, { runId: source, fromSequence });
      const own = range(3).map((place) => `${fork}.${place}`);
      model.set(fork, [...(model.get(source) ?? []).slice(0, fromSequence), ...own]);
      await extend(testCase, {
        runId: fork,
        expectedHead: fromSequence - 1,
        events: own.map((note) => noted(note)),
      });
    }
    for (const [runId, wanted] of model) await expectLog(testCase, runId, wanted);
  });
}

async function expectLog(testCase: EventLogCase, runId: string, wanted: readonly unknown[]): Promise<void> {
  const events = await readWhole(testCase, { runId });
  expect(events.map(({ payload }) => payload['note'])).toEqual(wanted);
  expect(events.map(({ eventId }) => eventId)).toEqual(
    wanted.map((_, sequence) => `evt-${runId}-${sequence}`),
  );
  for (const limit of [1, 4]) {
    expect(await notes(testCase, { runId, limit })).toEqual(wanted);
    expect(await notes(testCase, { runId, limit, backwards: true })).toEqual(wanted.toReversed());
    const types = ['test.noted', 'test.absent'];
    expect(await notes(testCase, { runId, limit, types })).toEqual(wanted);
    expect(await notes(testCase, { runId, limit, types, fromSequence: 6 })).toEqual(wanted.slice(6));
  }
}
