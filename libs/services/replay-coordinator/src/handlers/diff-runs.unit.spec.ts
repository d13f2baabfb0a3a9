import { MemoryEventLog } from '@palimpsest/adapter-memory';
import {
  eventIdOf,
  RUN_OVERLAID,
  runDiffSchema,
  type DiffRuns,
  type JsonValue,
  type RunDiff,
} from '@palimpsest/contracts';
import type { ReadRunRequest } from '@palimpsest/kernel';
import { ComparedRunLog, type Step } from '../testing/compared-log.js';
import { TENANT } from '../testing/source-run.js';
import { DiffRunsHandler } from './diff-runs.js';

let log: MemoryEventLog;
let handler: DiffRunsHandler;
let source: ComparedRunLog;

const say = (text: string): Step => ({ kind: 'message', text });
const take = (turns: number, cut?: string): Step => ({ kind: 'window', turns, ...(cut && { cut }) });
const instruct = (text: string): Step => ({ kind: 'instruction', text });
const summarize = (text: string): Step => ({ kind: 'summary', text });

async function diff(runId: string, otherRunId: string, page: Partial<DiffRuns> = {}): Promise<RunDiff> {
  const query: DiffRuns = { tenantId: TENANT, runId, otherRunId, ...page };
  return runDiffSchema.parse(await handler.handle(query as JsonValue));
}

/** 0 started · 1 a · 2 window 1 · 3 b · 4 summary s · 5 window 2 · 6 c · 7 window 3 */
beforeEach(async () => {
  log = new MemoryEventLog();
  handler = new DiffRunsHandler(log);
  source = await new ComparedRunLog(log, 'source').start();
  await source.go([say('a'), take(1), say('b'), summarize('s'), take(1), say('c'), take(2)]);
});

const identicalAt = ({ windows }: RunDiff) => windows.map(({ identical }) => identical);

describe('two runs', () => {
  it('are identical where they are one', async () => {
    const found = await diff('source', 'source');
    expect(found).toMatchObject({
      identical: true,
      relation: { kind: 'same', ancestorRunId: 'source', sharedEvents: 8 },
      fedTokensSaved: 0,
    });
    expect(found.firstDivergence).toBeUndefined();
    expect(identicalAt(found)).toEqual([true, true, true]);
  });

  it('are unknown where one of them is, whichever it is, and where it is another tenant’s', async () => {
    await expect(diff('source', 'nobody')).rejects.toMatchObject({ code: 'not_found' });
    await expect(diff('nobody', 'source')).rejects.toMatchObject({ code: 'not_found' });
    const foreign = handler.handle({ tenantId: 'other', runId: 'source', otherRunId: 'source' });
    await expect(foreign).rejects.toMatchObject({ code: 'not_found' });
  });

  it('tell what each fed, what it was spared, and what one was spared against the other', async () => {
    const branch = await source.branch('branch', 6);
    await branch.go([say('d'), take(1), say('e'), take(1)]);
    const found = await diff('branch', 'source');
    expect(found.run).toEqual({
      runId: 'branch',
      workflowId: 'palimpsest-external',
      status: 'running',
      events: 10,
      windows: 4,
      tokenCounter: 'chars',
      tokens: { fedTokens: 7, unboundedTokens: 10, notResentTokens: 3 },
      summaries: 1,
      origin: { runId: 'source', fromSequence: 6, mode: 'branch' },
    });
    expect(found.other).toMatchObject({ windows: 3, tokens: { fedTokens: 6 } });
    // the branch's fourth window is in none but it
    expect(found).toMatchObject({ fedTokensSaved: 1, comparedIterations: { from: 1, to: 3 } });
    expect((await diff('source', 'branch')).fedTokensSaved).toBe(-1);
  });

  it('compare what windows fed that were planned again, and none that is not in both', async () => {
    const branch = await source.branch('branch', 6);
    await branch.add({ type: RUN_OVERLAID, payload: { tags: [] } });
    await branch.go([{ kind: 'window', turns: 2, again: true }]);
    const found = await diff('branch', 'source');
    expect(found).toMatchObject({ fedTokensSaved: -1, comparedIterations: { from: 1, to: 2 } });
  });

  it('compare no further back than they count in one unit', async () => {
    const branch = await source.branch('branch', 3);
    await branch.add({ type: RUN_OVERLAID, payload: { tags: [] } });
    await branch.go([take(0)], 'o200k_base');
    expect(await diff('branch', 'source')).toMatchObject({ fedTokensSaved: null });
    const other = await source.branch('other', 8);
    await other.add({ type: RUN_OVERLAID, payload: { tags: [] } });
    await other.go([say('d'), take(1)], 'o200k_base');
    await branch.go([take(2), take(2)], 'o200k_base');
    const found = await diff('branch', 'other');
    expect(found).toMatchObject({ fedTokensSaved: 1, comparedIterations: { from: 4, to: 4 } });
    expect((await diff('other', 'branch')).comparedIterations).toEqual({ from: 4, to: 4 });
  });

  it('have their windows side by side, as far as either has any', async () => {
    const branch = await source.branch('branch', 6);
    await branch.go([say('d'), take(1), say('e'), take(1)]);
    const { windows } = await diff('source', 'branch');
    expect(windows.map(({ iteration, run, other }) => [iteration, run?.sequence, other?.sequence])).toEqual([
      [1, 2, 2],
      [2, 5, 5],
      [3, 7, 7],
      [4, undefined, 9],
    ]);
    expect(windows[2]?.run).toEqual({
      sequence: 7,
      tokenCounter: 'chars',
      fedTokens: 3,
      unboundedTokens: 3,
      summaries: 1,
    });
  });

  it.each([
    ['other texts', 2, false],
    ['the same texts', 1, true],
  ])('have the window that was fed where one was planned again, with %s', async (_which, turns, same) => {
    const branch = await source.branch('branch', 6);
    await branch.add({ type: RUN_OVERLAID, payload: { tags: [] } });
    await branch.go([{ kind: 'window', turns, again: true }, say('e'), take(1)]);
    const pages: RunDiff[] = [];
    for (let fromIteration: number | undefined = 1; fromIteration !== undefined;) {
      const page: RunDiff = await diff('source', 'branch', { fromIteration, limit: 1 });
      pages.push(page);
      fromIteration = page.nextIteration;
    }
    expect(pages.map(({ nextIteration }) => nextIteration)).toEqual([2, 3, undefined]);
    const windows = pages.flatMap((page) => page.windows);
    expect(windows.map(({ iteration, run, other }) => [iteration, run?.sequence, other?.sequence])).toEqual([
      [1, 2, 2],
      [2, 5, 7],
      [3, 7, 9],
    ]);
    expect(windows.map(({ identical }) => identical)).toEqual([true, same, false]);
    expect(await diff('source', 'branch')).toMatchObject({ windows });
    expect(identicalAt(await diff('branch', 'source'))).toEqual([true, same, false]);
  });
});

describe('the relation', () => {
  it.each([
    ['branch', 'source', 'fork', 'source', 6],
    ['source', 'branch', 'source', 'source', 6],
    ['grandchild', 'source', 'fork', 'source', 4],
    ['grandchild', 'branch', 'fork', 'branch', 4],
    ['branch', 'sibling', 'siblings', 'source', 3],
    ['grandchild', 'sibling', 'siblings', 'source', 3],
    ['cousin', 'grandchild', 'siblings', 'branch', 4],
  ])('of %s to %s is %s, by %s', async (...[runId, otherRunId, kind, ancestorRunId, sharedEvents]) => {
    const branch = await source.branch('branch', 6);
    await branch.go([say('d')]);
    await source.branch('sibling', 3);
    await branch.branch('grandchild', 4);
    await branch.branch('cousin', 7);
    const { relation } = await diff(runId, otherRunId);
    expect(relation).toEqual({ kind, ancestorRunId, sharedEvents });
  });

  it('of runs that come from nowhere together is none', async () => {
    await new ComparedRunLog(log, 'stranger').start();
    expect((await diff('source', 'stranger')).relation).toEqual({ kind: 'unrelated', sharedEvents: 0 });
  });
});

describe('the first divergence', () => {
  it.each([
    ['type', { type: 'palimpsest.other', payload: { name: 'v' }, nodeId: 'n' }],
    ['nodeId', { type: 'variable.changed', payload: { name: 'v' }, nodeId: 'm' }],
    ['schemaVersion', { type: 'variable.changed', payload: { name: 'v' }, nodeId: 'n', schemaVersion: 2 }],
    ['payload', { type: 'variable.changed', payload: { name: 'w' }, nodeId: 'n' }],
    [
      'causation',
      { type: 'variable.changed', payload: { name: 'v' }, nodeId: 'n', causationId: eventIdOf('two', 3) },
    ],
  ])('names in what the events differ: %s', async (part, event) => {
    const [one, two] = [await source.branch('one', 8), await source.branch('two', 8)];
    await one.add({ type: 'variable.changed', payload: { name: 'v' }, nodeId: 'n' });
    await two.add(event);
    const found = await diff('one', 'two');
    expect(found.firstDivergence).toEqual({
      sequence: 8,
      part,
      run: { type: 'variable.changed', nodeId: 'n' },
      other: { type: event.type, nodeId: event.nodeId },
    });
    expect(found.identical).toBe(false);
  });

  it('is not that events of one’s own have other ids', async () => {
    for (const name of ['one', 'two']) {
      const branch = await source.branch(name, 8);
      const payload = { parentRunId: name, replacedTurns: [eventIdOf(name, 7), eventIdOf('source', 1)] };
      await branch.add({ type: 'x.y', payload, causationId: eventIdOf(name, 8 - 1) });
    }
    expect((await diff('one', 'two')).identical).toBe(true);
  });

  it('is that the same event of a third run is meant by one and not by the other', async () => {
    for (const name of ['one', 'two']) {
      const branch = await source.branch(name, 8);
      await branch.add({ type: 'x.y', payload: { child: name === 'one' ? 'child-1' : 'child-2' } });
    }
    expect((await diff('one', 'two')).firstDivergence).toMatchObject({ sequence: 8, part: 'payload' });
  });

  it('is the end of the shorter one', async () => {
    await source.branch('branch', 8);
    await source.go([say('d')]);
    const found = await diff('branch', 'source');
    expect(found.firstDivergence).toEqual({
      sequence: 8,
      part: 'end',
      other: { type: 'palimpsest.message.appended' },
    });
    expect(identicalAt(found)).toEqual([true, true, true]);
  });

  it('is at the start for runs of different kinds', async () => {
    const run = await new ComparedRunLog(log, 'executed').start({ workflowId: 'conformance-noop' });
    await run.add({ type: 'node.started', payload: { nodeId: 'n', typeId: 't', attempt: 0 }, nodeId: 'n' });
    const found = await diff('source', 'executed');
    expect(found).toMatchObject({
      identical: false,
      relation: { kind: 'unrelated' },
      firstDivergence: { sequence: 0, part: 'payload', iteration: 1 },
      other: { workflowId: 'conformance-noop', windows: 0, tokens: { fedTokens: 0 } },
      fedTokensSaved: null,
    });
    expect(found.windows.map(({ run: mine, other }) => [mine?.fedTokens, other])).toEqual([
      [1, undefined],
      [2, undefined],
      [3, undefined],
    ]);
  });

  it('says which window is the first after it', async () => {
    const branch = await source.branch('branch', 6);
    await branch.go([say('d'), say('e')]);
    expect((await diff('branch', 'source')).firstDivergence).toMatchObject({ sequence: 6, iteration: 3 });
  });

  it('is found again, and later, as the logs grow', async () => {
    const branch = await source.branch('branch', 8);
    expect((await diff('branch', 'source')).identical).toBe(true);
    await branch.go([say('d')]);
    expect((await diff('branch', 'source')).firstDivergence).toMatchObject({ sequence: 8, part: 'end' });
    await source.go([say('d'), say('x')]);
    await branch.go([say('y')]);
    expect((await diff('source', 'branch')).firstDivergence).toMatchObject({ sequence: 9, part: 'payload' });
  });
});

describe('windows after a divergence', () => {
  it.each<[string, boolean, readonly Step[], readonly Step[]]>([
    ['the same texts', true, [say('d'), say('e'), take(1)], [say('x'), say('e'), take(1)]],
    ['the same texts at other places', true, [say('d'), say('e'), take(1)], [say('e'), take(1)]],
    ['another text', false, [say('d'), take(1)], [say('e'), take(1)]],
    ['another order', false, [say('d'), say('e'), take(2)], [say('e'), say('d'), take(2)]],
    ['another cut', false, [say('d'), say('e'), take(1, 'p')], [say('x'), say('e'), take(1, 'q')]],
    ['the same cut', true, [say('d'), say('e'), take(1, 'p')], [say('x'), say('e'), take(1, 'p')]],
    ['another summary', false, [summarize('t'), say('e'), take(1)], [summarize('u'), say('e'), take(1)]],
    [
      'the same summary',
      true,
      [say('d'), summarize('t'), say('e'), take(1)],
      [summarize('t'), say('e'), take(1)],
    ],
    ['another instruction', false, [instruct('i'), say('e'), take(1)], [instruct('j'), say('e'), take(1)]],
  ])('are told apart by %s: %s', async (_, identical, one, two) => {
    await (await source.branch('one', 8)).go(one);
    await (await source.branch('two', 8)).go(two);
    expect(identicalAt(await diff('one', 'two'))).toEqual([true, true, true, identical]);
  });

  it('are told apart by the turns of a loop, which its windows name', async () => {
    for (const [name, artifactId] of [
      ['one', `art_${'p'.repeat(22)}`],
      ['two', `art_${'p'.repeat(22)}`],
      ['three', `art_${'q'.repeat(22)}`],
    ] as const) {
      const branch = await source.branch(name, 8);
      await branch.add({ type: 'runOrchestrator.decided', payload: { by: name } });
      await branch.go([take(0)]);
      const { events } = await log.readRun({ tenantId: TENANT, runId: name, fromSequence: 9 });
      const window = events[0]?.payload;
      const turns = [{ sequence: 8, artifactId }];
      await branch.add({
        type: 'palimpsest.window.planned',
        payload: { ...window, iteration: 5, asOfSequence: 8, tailFromSequence: 8, turns },
      });
    }
    expect(identicalAt(await diff('one', 'two')).at(-1)).toBe(true);
    expect(identicalAt(await diff('one', 'three')).at(-1)).toBe(false);
  });
});

describe('pages', () => {
  it('go on at the next iteration, over gaps and the end of the shorter run', async () => {
    const branch = await source.branch('branch', 6);
    await branch.go([say('d'), take(1), say('e'), take(1), say('f'), take(1)]);
    const pages: number[][] = [];
    for (let from: number | undefined = 1; from !== undefined;) {
      const page: RunDiff = await diff('source', 'branch', { fromIteration: from, limit: 2 });
      expect(page.firstDivergence).toMatchObject({ sequence: 6 });
      pages.push(page.windows.map(({ iteration }) => iteration));
      from = page.nextIteration;
    }
    expect(pages).toEqual([[1, 2], [3, 4], [5]]);
    expect((await diff('source', 'branch', { fromIteration: 9 })).windows).toEqual([]);
  });

  it.each([{ limit: 0 }, { limit: 501 }, { fromIteration: 0 }, { otherRunId: 'a b' }])(
    'refuses %j',
    async (page) => {
      await expect(diff('source', 'source', page)).rejects.toMatchObject({ code: 'validation_error' });
    },
  );
});

describe('what a comparison reads', () => {
  async function readings(run: () => Promise<unknown>): Promise<readonly ReadRunRequest[]> {
    const asked = jest.spyOn(log, 'readRun');
    await run();
    const requests = asked.mock.calls.map(([request]) => request);
    asked.mockRestore();
    return requests;
  }

  it('of two branches is nothing that they share, but windows', async () => {
    await source.go(Array.from({ length: 3000 }, () => say('z')));
    const shared = source.length;
    await (await source.branch('one', shared)).go([say('d'), take(1)]);
    await (await source.branch('two', shared)).go([say('e'), take(1)]);
    const requests = await readings(() => diff('one', 'two'));
    // A summary that stands is read by its place.
    const whole = requests.filter(({ types, limit }) => types === undefined && limit !== 1);
    expect(whole.filter(({ fromSequence }) => fromSequence < shared)).toEqual([]);
    expect(requests.length).toBeLessThan(20);
  });

  it('of equal logs is read once, whichever page is asked for', async () => {
    const twin = await new ComparedRunLog(log, 'twin').start();
    await twin.go([say('a'), take(1), say('b'), summarize('s'), take(1), say('c'), take(2)]);
    expect((await diff('source', 'twin')).identical).toBe(true);
    const again = await readings(() => diff('twin', 'source', { fromIteration: 2 }));
    expect(again.filter(({ types }) => types === undefined)).toEqual([]);
  });
});
