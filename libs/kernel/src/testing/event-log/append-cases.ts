import { AT, extend, later, noted, notedMany, notes, readWhole, startRun, type OpenCase } from './harness.js';

const conflict = (runId: string, expectedSequence: number | string, actualSequence: number) => ({
  code: 'sequence_conflict',
  retryable: false,
  details: { runId, expectedSequence, actualSequence },
});

export function appendCases(open: OpenCase): void {
  it('starts a run and extends it, with dense sequences and ids that follow from them', async () => {
    const testCase = open();
    const runId = 'run';
    expect(await startRun(testCase, { runId, events: notedMany(2) })).toEqual({
      firstSequence: 0,
      lastSequence: 1,
      repeated: false,
    });
    expect(await extend(testCase, { runId, expectedHead: 1, events: notedMany(3, 2) })).toEqual({
      firstSequence: 2,
      lastSequence: 4,
      repeated: false,
    });
    const events = await readWhole(testCase, { runId });
    expect(events.map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3, 4]);
    expect(events.map(({ payload }) => payload['note'])).toEqual([0, 1, 2, 3, 4]);
    expect(events[3]).toMatchObject({ eventId: 'evt-run-3', runId, type: 'test.noted', schemaVersion: 1 });
  });

  it('keeps the envelope as given, and leaves out what was not', async () => {
    const testCase = open();
    const counts = { o200k_base: 3, cl100k_base: 0, chars: 12 };
    const full = noted('full', { nodeId: 'node-é', causationId: 'evt-run-0', counts, schemaVersion: 7 });
    await startRun(testCase, { runId: 'run', events: [noted('bare'), full] });
    expect(await readWhole(testCase, { runId: 'run' })).toEqual([
      {
        eventId: 'evt-run-0',
        runId: 'run',
        type: 'test.noted',
        payload: { note: 'bare' },
        timestamp: '2026-03-04T05:06:07.089Z',
        sequence: 0,
        schemaVersion: 1,
      },
      {
        eventId: 'evt-run-1',
        runId: 'run',
        type: 'test.noted',
        payload: { note: 'full' },
        timestamp: '2026-03-04T05:06:07.089Z',
        sequence: 1,
        schemaVersion: 7,
        nodeId: 'node-é',
        causationId: 'evt-run-0',
        counts,
      },
    ]);
  });

  it('orders by sequence, whatever the times say', async () => {
    const testCase = open();
    await startRun(testCase, { runId: 'run', at: later(1000) });
    await extend(testCase, { runId: 'run', expectedHead: 0, at: AT });
    const events = await readWhole(testCase, { runId: 'run' });
    expect(events.map(({ timestamp }) => timestamp)).toEqual([later(1000).toISOString(), AT.toISOString()]);
  });

  it('changes the header with the log', async () => {
    const testCase = open();
    const header = () => testCase.log.header(testCase.tenantId, 'run');
    await startRun(testCase, { runId: 'run' });
    expect(await header()).toEqual({
      tenantId: testCase.tenantId,
      runId: 'run',
      workflowId: 'test-workflow',
      status: 'pending',
      head: 0,
      createdAt: AT.toISOString(),
      updatedAt: AT.toISOString(),
      state: {},
      link: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const change = { status: 'running', state: { a: 1, deep: { b: [true, null] } } } as const;
    await extend(testCase, { runId: 'run', expectedHead: 0, at: later(1), header: change });
    expect(await header()).toMatchObject({ ...change, head: 1, updatedAt: later(1).toISOString() });
    await extend(testCase, { runId: 'run', expectedHead: 1, at: later(2) });
    expect(await header()).toMatchObject({ ...change, head: 2, createdAt: AT.toISOString() });
    await extend(testCase, { runId: 'run', expectedHead: 2, header: { state: { b: 2 } } });
    expect((await header())?.state).toEqual({ b: 2 });
  });

  it('refuses another head and writes nothing', async () => {
    const testCase = open();
    const runId = 'run';
    await startRun(testCase, { runId, events: notedMany(3) });
    const header = { status: 'failed', state: { lost: true } } as const;
    for (const expectedHead of [-1, 0, 1, 3, 1000])
      await expect(extend(testCase, { runId, expectedHead, header, commandId: 'c' })).rejects.toMatchObject(
        conflict(runId, expectedHead, 2),
      );
    await expect(startRun(testCase, { runId, header, commandId: 'c' })).rejects.toMatchObject(
      conflict(runId, 'no-run', 2),
    );
    expect(await notes(testCase, { runId })).toEqual([0, 1, 2]);
    expect(await testCase.log.header(testCase.tenantId, runId)).toMatchObject({
      head: 2,
      status: 'pending',
      state: {},
    });
    expect(await extend(testCase, { runId, expectedHead: 2, commandId: 'c' })).toMatchObject({
      repeated: false,
    });
  });

  it('refuses to extend a run that is not there', async () => {
    const testCase = open();
    for (const expectedHead of [-1, 0])
      await expect(extend(testCase, { runId: 'nowhere', expectedHead })).rejects.toMatchObject(
        conflict('nowhere', expectedHead, -1),
      );
    expect(await testCase.log.header(testCase.tenantId, 'nowhere')).toBeUndefined();
  });
}

export function commandCases(open: OpenCase): void {
  it('answers a repeated command with the place it has, and writes nothing', async () => {
    const testCase = open();
    const runId = 'run';
    await startRun(testCase, { runId, commandId: 'start' });
    const first = await extend(testCase, { runId, expectedHead: 0, events: notedMany(2, 1), commandId: 'c' });
    await extend(testCase, { runId, expectedHead: 2 });
    for (const expectedHead of [0, 3])
      expect(
        await extend(testCase, { runId, expectedHead, commandId: 'c', header: { status: 'failed' } }),
      ).toEqual({ ...first, repeated: true });
    expect(await startRun(testCase, { runId, commandId: 'start' })).toEqual({
      firstSequence: 0,
      lastSequence: 0,
      repeated: true,
    });
    expect(await notes(testCase, { runId })).toEqual([0, 1, 2, 3]);
    expect((await testCase.log.header(testCase.tenantId, runId))?.status).toBe('pending');
  });

  it('knows commands by run and tenant', async () => {
    const [one, other] = [open(), open()];
    for (const [testCase, runId] of [
      [one, 'a'],
      [one, 'b'],
      [other, 'a'],
    ] as const)
      expect(await startRun(testCase, { runId, commandId: 'c' })).toMatchObject({ repeated: false });
  });
}
