import {
  extend,
  forkRun,
  isConflict,
  noted,
  notes,
  race,
  range,
  readWhole,
  startRun,
  type EventLogCase,
  type OpenCase,
} from './harness.js';

export function concurrencyCases(open: OpenCase): void {
  it('lets exactly one of 32 writers at one head win', async () => {
    const testCase = open();
    const runId = 'run';
    await startRun(testCase, { runId });
    const events = (writer: number) => [noted(`${writer}`), noted(`${writer}`)];
    const { won, lost } = await race(
      range(32).map((writer) => extend(testCase, { runId, expectedHead: 0, events: events(writer) })),
    );
    expect(won).toEqual([{ firstSequence: 1, lastSequence: 2, repeated: false }]);
    expect(lost).toHaveLength(31);
    expect(lost.every(isConflict)).toBe(true);
    const written = await readWhole(testCase, { runId });
    expect(written.map(({ sequence }) => sequence)).toEqual([0, 1, 2]);
    expect(written[1]?.payload).toEqual(written[2]?.payload);
  });

  it('lets exactly one of 16 writers start a run', async () => {
    const testCase = open();
    const { won, lost } = await race(
      range(16).map((note) => startRun(testCase, { runId: 'run', events: [noted(note)] })),
    );
    expect(won).toHaveLength(1);
    expect(lost.every(isConflict)).toBe(true);
    expect(await notes(testCase, { runId: 'run' })).toHaveLength(1);
  });

  it('loses no event of writers that try until they win', async () => {
    const testCase = open();
    await startRun(testCase, { runId: 'run', events: [noted('start')] });
    await Promise.all(
      range(6).map(async (writer) => {
        for (const step of range(5)) await appendWhateverHead(testCase, `${writer}.${step}`);
      }),
    );
    const events = await readWhole(testCase, { runId: 'run' });
    expect(events.map(({ sequence }) => sequence)).toEqual(range(31));
    const wanted = range(6).flatMap((writer) => range(5).map((step) => `${writer}.${step}`));
    expect(events.map(({ payload }) => payload['note']).toSorted()).toEqual([...wanted, 'start'].toSorted());
  });

  it('records a command once when its attempts race', async () => {
    const testCase = open();
    const runId = 'run';
    const starts = await race(range(8).map(() => startRun(testCase, { runId, commandId: 'start' })));
    expect(starts.lost).toEqual([]);
    expect(starts.won.filter(({ repeated }) => !repeated)).toHaveLength(1);
    const extensions = await race(
      range(8).map(() => extend(testCase, { runId, expectedHead: 0, commandId: 'c' })),
    );
    expect(extensions.lost).toEqual([]);
    expect(extensions.won.map(({ lastSequence }) => lastSequence)).toEqual(range(8).map(() => 1));
    expect(extensions.won.filter(({ repeated }) => !repeated)).toHaveLength(1);
    expect(await notes(testCase, { runId })).toEqual([0, 1]);
  });

  it('makes one fork when equal requests race', async () => {
    const testCase = open();
    await startRun(testCase, { runId: 'source' });
    const { won, lost } = await race(
      range(8).map(() => forkRun(testCase, 'fork', { runId: 'source', fromSequence: 1 })),
    );
    expect(lost).toEqual([]);
    expect(new Set(won.map((header) => JSON.stringify(header))).size).toBe(1);
    expect(await notes(testCase, { runId: 'fork' })).toEqual([0]);
  });
}

async function appendWhateverHead(testCase: EventLogCase, note: string): Promise<void> {
  for (;;) {
    const header = await testCase.log.header(testCase.tenantId, 'run');
    const { won, lost } = await race([
      extend(testCase, { runId: 'run', expectedHead: header?.head ?? -1, events: [noted(note)] }),
    ]);
    if (won.length > 0) return;
    expect(lost.every(isConflict)).toBe(true);
  }
}
