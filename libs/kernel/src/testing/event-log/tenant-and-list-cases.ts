import type { RunHeader } from '@palimpsest/contracts';
import type { ListRunsRequest } from '../../ports/event-log.js';
import {
  extend,
  forkRun,
  later,
  noted,
  notes,
  startRun,
  type EventLogCase,
  type OpenCase,
} from './harness.js';

export function tenantCases(open: OpenCase): void {
  it("answers another tenant's run like an unknown one", async () => {
    const [owner, stranger] = [open(), open()];
    await startRun(owner, { runId: 'run' });
    expect(await stranger.log.header(stranger.tenantId, 'run')).toBeUndefined();
    expect(await notes(stranger, { runId: 'run' })).toEqual([]);
    expect(await stranger.log.listRuns({ tenantId: stranger.tenantId, limit: 10 })).toEqual({ runs: [] });
    await expect(extend(stranger, { runId: 'run', expectedHead: 0 })).rejects.toMatchObject({
      details: { runId: 'run', expectedSequence: 0, actualSequence: -1 },
    });
  });

  it('keeps runs of the same id apart', async () => {
    const [one, other] = [open(), open()];
    await startRun(one, { runId: 'run', events: [noted('one')] });
    await startRun(other, { runId: 'run', events: [noted('other'), noted('other')] });
    await forkRun(other, 'fork', { runId: 'run', fromSequence: 1 });
    expect(await notes(one, { runId: 'run' })).toEqual(['one']);
    expect(await notes(other, { runId: 'run' })).toEqual(['other', 'other']);
    expect(await notes(other, { runId: 'fork' })).toEqual(['other']);
    expect(await notes(one, { runId: 'fork' })).toEqual([]);
  });
}

export function listCases(open: OpenCase): void {
  it('lists the newest first, by id where they are equally old, in pages', async () => {
    const testCase = open();
    await startRuns(testCase, { a: 1, b: 3, c: 2, d: 3, e: 0 });
    for (const limit of [1, 2, 3, 5, 100])
      expect((await listWhole(testCase, { limit })).map(({ runId }) => runId)).toEqual([
        'd',
        'b',
        'c',
        'a',
        'e',
      ]);
    expect(await testCase.log.listRuns({ tenantId: testCase.tenantId, limit: 5 })).not.toHaveProperty(
      'nextCursor',
    );
  });

  it('goes on where a page ended, whatever was started meanwhile', async () => {
    const testCase = open();
    const { log, tenantId } = testCase;
    await startRuns(testCase, { a: 1, b: 2, c: 3 });
    const first = await log.listRuns({ tenantId, limit: 2 });
    await startRuns(testCase, { d: 4 });
    const second = await log.listRuns({ tenantId, limit: 2, cursor: first.nextCursor ?? '' });
    expect(second.runs.map(({ runId }) => runId)).toEqual(['a']);
  });

  it('gives headers as they are now, forks included', async () => {
    const testCase = open();
    const { log, tenantId } = testCase;
    await startRuns(testCase, { a: 1 });
    await extend(testCase, { runId: 'a', expectedHead: 0, header: { status: 'completed', state: { x: 1 } } });
    await forkRun(testCase, 'fork', { runId: 'a', fromSequence: 1 });
    const { runs } = await log.listRuns({ tenantId, limit: 10 });
    expect(runs).toEqual([await log.header(tenantId, 'fork'), await log.header(tenantId, 'a')]);
  });

  it('selects by status and by workflow', async () => {
    const testCase = open();
    await startRuns(testCase, { a: 1, b: 2, c: 3, d: 4 });
    await startRun(testCase, { runId: 'e', workflowId: 'other', at: later(5) });
    await extend(testCase, { runId: 'b', expectedHead: 0, header: { status: 'failed' } });
    await extend(testCase, { runId: 'e', expectedHead: 0, header: { status: 'failed' } });
    const list = async (filter: Partial<ListRunsRequest>) =>
      (await listWhole(testCase, { limit: 1, ...filter })).map(({ runId }) => runId);
    expect(await list({ status: 'failed' })).toEqual(['e', 'b']);
    expect(await list({ status: 'pending' })).toEqual(['d', 'c', 'a']);
    expect(await list({ workflowId: 'other' })).toEqual(['e']);
    expect(await list({ workflowId: 'test-workflow', status: 'failed' })).toEqual(['b']);
    expect(await list({ status: 'paused' })).toEqual([]);
  });

  it.each(['garbage', '.', 'zzzzzzzzzz.run', "x.'; --", 'é.run'])(
    'refuses a cursor it never gave: %s',
    async (cursor) => {
      const { log, tenantId } = open();
      await expect(log.listRuns({ tenantId, limit: 1, cursor })).rejects.toMatchObject({
        code: 'validation_error',
      });
    },
  );
}

async function startRuns(testCase: EventLogCase, ages: Record<string, number>): Promise<void> {
  for (const [runId, milliseconds] of Object.entries(ages))
    await startRun(testCase, { runId, at: later(milliseconds) });
}

async function listWhole(
  { log, tenantId }: EventLogCase,
  request: Omit<ListRunsRequest, 'tenantId'>,
): Promise<RunHeader[]> {
  const runs: RunHeader[] = [];
  let cursor: string | undefined;
  do {
    const page = await log.listRuns({ tenantId, ...request, ...(cursor !== undefined && { cursor }) });
    runs.push(...page.runs);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return runs;
}
