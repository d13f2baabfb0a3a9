import { jest } from '@jest/globals';
import { LOG_PAGE_EVENTS, replayDivergedSchema, type WorkflowDefinition } from '@palimpsest/contracts';
import { PAGE_READ, PAGE_WRITTEN } from '../race-points.js';
import { CoordinatorHarness, FORK, killedAt } from '../testing/coordinator-harness.js';
import { expectRowOfLog } from '../testing/expect-row-of-log.js';
import { DIGEST, ExecutedSource, inLine } from '../testing/executed-source.js';
import { SOURCE } from '../testing/source-run.js';
import { MOST_DIVERGENCES } from './find-output-divergences.js';

const STEPS = inLine(
  { first: 'identity', bad: 'fail', after: 'noop', wait: 'delay', ask: 'approvalGate' },
  { wait: { delayMs: 1000 } },
);
/** The failure is handled: the run goes on behind it. */
const HANDLED: WorkflowDefinition = {
  ...STEPS,
  edges: STEPS.edges.map((edge) =>
    edge.sourceNodeId === 'bad' ? { ...edge, triggerRule: 'any_failed' } : edge,
  ),
};

let harness: CoordinatorHarness;
beforeEach(() => {
  harness = new CoordinatorHarness();
  serves(HANDLED);
});
afterEach(() => expectRowOfLog(harness));
afterEach(() => harness.bus.close());

/** The definition that the run stays with, as the engine of today reads it. */
function serves(definition: WorkflowDefinition): void {
  harness.definitions = {
    readWorkflow: (query) =>
      Promise.resolve(
        'digest' in query && query.digest === DIGEST ? { definition, digest: DIGEST } : undefined,
      ),
  };
}

/** As if the node had worked otherwise: what an engine that changed meanwhile makes of it. */
function changed({ nodeId, typeId, config = {} }: Change): WorkflowDefinition {
  const nodes = HANDLED.nodes.map((node) => (node.id === nodeId ? { ...node, typeId, config } : node));
  return { ...HANDLED, nodes };
}

type Change = {
  readonly nodeId: string;
  readonly typeId: string;
  readonly config?: WorkflowDefinition['nodes'][number]['config'];
};

async function executed(definition = HANDLED): Promise<ExecutedSource> {
  const source = await new ExecutedSource(harness.eventLog, definition).start({ a: 1 });
  return (await source.advance()).advance(1000);
}

const told = async (run = FORK) =>
  (await harness.events(run)).map(({ type, nodeId, payload }) => ({ type, nodeId, payload }));
const found = async (run = FORK) => (await told(run)).filter(({ type }) => type === 'replay.diverged');
const endOf = async (nodeId: string) =>
  (await harness.events(SOURCE)).find(
    (event) => event.nodeId === nodeId && /^node\.(completed|failed)$/.test(event.type),
  );

describe('a replay that executes pure nodes again', () => {
  it('finds the same outcomes, and is as its source', async () => {
    await executed();
    await harness.coordinator().fork({ mode: 'replay' });
    expect(await told()).toEqual(await told(SOURCE));
    expect((await told(SOURCE)).filter(({ type }) => type === 'node.completed')).toHaveLength(3);
    expect(await harness.header()).toMatchObject({ status: 'waiting-approval' });
  });

  it.each([
    ['outputs', { nodeId: 'first', typeId: 'core.noop' }, ['output', 'outputs']],
    ['an error', { nodeId: 'bad', typeId: 'core.fail', config: { code: 'other' } }, ['output', 'error']],
    ['how a node ended', { nodeId: 'after', typeId: 'core.fail' }, ['type-mismatch', 'type']],
    ['a node that would wait', { nodeId: 'after', typeId: 'core.approvalGate' }, ['type-mismatch', 'type']],
  ] as const)(
    'records %s that differs, and goes on with the record',
    async (_what, change, [kind, point]) => {
      await executed();
      const { nodeId } = change;
      serves(changed(change));
      await harness.coordinator().fork({ mode: 'replay' });
      const end = await endOf(nodeId);
      const payload = {
        sourceRunId: SOURCE,
        atSequence: end?.sequence,
        originalEventId: end?.eventId,
        divergenceKind: kind,
        divergencePoint: point,
        nodeId,
      };
      expect(await told()).toEqual([...(await told(SOURCE)), { type: 'replay.diverged', nodeId, payload }]);
      expect(replayDivergedSchema.safeParse(payload).error).toBeUndefined();
      const source = await harness.header(SOURCE);
      expect(await harness.header()).toMatchObject({
        status: 'waiting-approval',
        head: (source?.head ?? 0) + 1,
        state: { replayTarget: source?.head, nodes: { first: { outputs: { a: 1 } } } },
      });
    },
  );

  it('records all of them together before the end of the run', async () => {
    const ending = inLine({ first: 'identity', second: 'noop', third: 'identity' });
    await (await new ExecutedSource(harness.eventLog, ending).start({ a: 1 })).advance();
    const nodes = ending.nodes.map((node) => ({ ...node, typeId: 'core.noop' }));
    serves({ ...ending, nodes });
    await harness.coordinator().fork({ mode: 'replay' });
    const source = await told(SOURCE);
    const fork = await told();
    expect(fork.filter(({ type }) => type !== 'replay.diverged')).toEqual(source);
    expect(fork.slice(-3).map(({ type, nodeId }) => [type, nodeId])).toEqual([
      ['replay.diverged', 'first'],
      ['replay.diverged', 'third'],
      ['run.completed', undefined],
    ]);
    expect(await harness.header()).toMatchObject({
      status: 'completed',
      head: source.length + 1,
      state: { replayTarget: source.length - 2, ended: 'completed' },
    });
    await harness.coordinator().fork({ mode: 'replay', forkRunId: 'other-fork' });
    expect(await told('other-fork')).toEqual(fork);
  });

  it.each([
    [PAGE_READ, 1],
    [PAGE_READ, 2],
    [PAGE_WRITTEN, 1],
    [PAGE_WRITTEN, 2],
  ])('killed at %s for the %i. time, has them once', async (point, time) => {
    const ending = inLine({ first: 'identity', second: 'noop' });
    await (await new ExecutedSource(harness.eventLog, ending).start({ a: 1 })).advance();
    serves({ ...ending, nodes: ending.nodes.map((node) => ({ ...node, typeId: 'core.noop' })) });
    await expect(harness.coordinator(killedAt(point, time)).fork({ mode: 'replay' })).rejects.toThrow();
    await harness.coordinator().works.resume(new Date(harness.now.getTime() + 1));
    expect(await found()).toHaveLength(1);
    expect((await told()).at(-1)).toMatchObject({ type: 'run.completed' });
    expect(await harness.openJobs()).toEqual([]);
  });

  it('leaves alone what was shared', async () => {
    await executed();
    serves(changed({ nodeId: 'first', typeId: 'core.noop' }));
    const end = await endOf('first');
    await harness.coordinator().fork({ mode: 'replay', fromSeq: (end?.sequence ?? 0) + 1 });
    expect(await found()).toEqual([]);
    await harness.coordinator().fork({ mode: 'replay', fromSeq: end?.sequence ?? 0, forkRunId: 'at-it' });
    expect(await found('at-it')).toHaveLength(1);
  });

  it('executes no node again whose work reaches outside', async () => {
    await executed();
    serves(changed({ nodeId: 'first', typeId: 'core.conformance.side-effect' }));
    await harness.coordinator().fork({ mode: 'replay' });
    expect(await found()).toEqual([]);
  });

  it('does not know what is not there', async () => {
    await executed();
    harness.definitions = { readWorkflow: () => Promise.resolve(undefined) };
    await harness.coordinator().fork({ mode: 'replay' });
    expect(await told()).toEqual(await told(SOURCE));
  });

  it('stops recording where there are very many', async () => {
    const ids = Array.from(
      { length: MOST_DIVERGENCES + 50 },
      (_, place) => [`n${place}`, 'identity'] as const,
    );
    const many = inLine(Object.fromEntries(ids));
    await (await new ExecutedSource(harness.eventLog, many).start({ a: 1 })).advance();
    serves({ ...many, nodes: many.nodes.map((node) => ({ ...node, typeId: 'core.noop' })) });
    await harness.coordinator().fork({ mode: 'replay' });
    expect(await found()).toHaveLength(MOST_DIVERGENCES);
    expect((await told()).at(-1)).toMatchObject({ type: 'run.completed' });
  });

  it('reads its source a fixed number of times, however many pages it has', async () => {
    const ids = Array.from({ length: 800 }, (_, place) => [`n${place}`, 'identity'] as const);
    const long = inLine(Object.fromEntries(ids));
    await (await new ExecutedSource(harness.eventLog, long).start({ a: 1 })).advance();
    serves({ ...long, nodes: long.nodes.map((node) => ({ ...node, typeId: 'core.noop' })) });
    harness.mocks = {
      readWorkflow: () => Promise.resolve(undefined),
      askMock: () => Promise.resolve('none'),
    };
    const readRun = harness.eventLog.readRun.bind(harness.eventLog);
    let read = 0;
    const counting = jest.spyOn(harness.eventLog, 'readRun').mockImplementation(async (request) => {
      const page = await readRun(request);
      if (request.runId === SOURCE) read += page.events.length;
      return page;
    });
    const { fork, works } = harness.coordinator();
    await fork({ mode: 'replay' });
    await works.resume(new Date(harness.now.getTime() + 1));
    counting.mockRestore();
    expect(await found()).toHaveLength(MOST_DIVERGENCES);
    const events = ((await harness.header(SOURCE))?.head ?? 0) + 1;
    expect(events).toBeGreaterThan(3 * LOG_PAGE_EVENTS);
    // to repeat it, to execute it again, and its starts, once each; the last page ends before what is found, and is read again
    const starts = events / 2;
    expect(read).toBeLessThanOrEqual(events + events + starts + LOG_PAGE_EVENTS);
  });

  it('is no branch: that executes them anew', async () => {
    await executed();
    serves(changed({ nodeId: 'first', typeId: 'core.noop' }));
    await harness.coordinator().fork({ mode: 'branch', fromSeq: 0 });
    expect(await found()).toEqual([]);
  });
});
