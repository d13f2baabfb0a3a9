import { jest } from '@jest/globals';
import { RUN_CANCELLING, type WorkflowRunState } from '@palimpsest/contracts';
import { FORK_COMPLETE, FORK_ROW_WRITTEN, JOB_RECORDED, PAGE_READ, PAGE_WRITTEN } from '../race-points.js';
import { CoordinatorHarness, FORK, killedAt } from '../testing/coordinator-harness.js';
import { expectRowOfLog } from '../testing/expect-row-of-log.js';
import { ExecutedSource, inLine } from '../testing/executed-source.js';
import { SOURCE, TENANT } from '../testing/source-run.js';

const DELAYED = inLine({ wait: 'delay', effect: 'conformance.side-effect' }, { wait: { delayMs: 5000 } });

let harness: CoordinatorHarness;
beforeEach(() => (harness = new CoordinatorHarness()));
afterEach(() => expectRowOfLog(harness));
afterEach(() => harness.bus.close());

const delayed = async () => (await new ExecutedSource(harness.eventLog, DELAYED).start()).advance();
const types = async (run = FORK) => (await harness.events(run)).map(({ type }) => type);
const told = async (run: string) =>
  (await harness.events(run)).map(({ type, nodeId, payload }) => ({ type, nodeId, payload }));

describe('a replay of a run that was cancelled', () => {
  it('repeats it up to the cancellation, and is to go on from there', async () => {
    await (await delayed()).cancel({ reason: 'no more' });
    expect(await types(SOURCE)).toEqual(['run.started', 'node.started', 'node.cancelled', 'run.cancelled']);
    const publish = jest.spyOn(harness.bus, 'publish');
    await harness.coordinator().fork({ mode: 'replay' });
    expect(await types()).toEqual(['run.started', 'node.started']);
    const header = await harness.header();
    expect(header).toMatchObject({ status: 'running', head: 1, state: { replayTarget: 1 } });
    const { nodes } = header?.state as unknown as WorkflowRunState;
    expect(nodes['wait']).toMatchObject({ status: 'running', startedAt: harness.now.toISOString() });
    expect(publish.mock.calls.map(([, { body }]) => body)).toEqual([{ tenantId: TENANT, runId: FORK }]);
    expect(await harness.openJobs()).toEqual([]);
  });

  it('from where it was cut short has nothing to repeat, and stands as its source did', async () => {
    await (await delayed()).cancel();
    await harness.coordinator().fork({ mode: 'replay', fromSeq: 2 });
    expect(await types()).toEqual(['run.started', 'node.started']);
    expect(await harness.header()).toMatchObject({ status: 'running', head: 1 });
    expect(await harness.openJobs()).toEqual([]);
  });

  it('from inside the cancellation repeats that, too', async () => {
    await (await delayed()).cancel();
    await harness.coordinator().fork({ mode: 'replay', fromSeq: 3 });
    expect(await told(FORK)).toEqual(await told(SOURCE));
    expect(await harness.header()).toMatchObject({ status: 'cancelled', head: 3 });
  });

  it('is being cancelled, too, where a branch leaves it inside the cancellation', async () => {
    await (await delayed()).cancel();
    await harness.coordinator().fork({ mode: 'branch', fromSeq: 3 });
    expect(await harness.header()).toMatchObject({ status: 'cancelling', head: 2 });
  });

  it('that only began to be cancelled is cut there as well', async () => {
    const source = await delayed();
    const { head, state } = (await harness.header(SOURCE)) ?? { head: 0, state: {} };
    const cancelling = { ...state, cancelling: {} };
    await harness.eventLog.append({
      tenantId: TENANT,
      runId: SOURCE,
      expectedHead: head,
      events: [{ type: RUN_CANCELLING, payload: {}, schemaVersion: 1 }],
      at: source.now,
      header: { status: 'cancelling', state: cancelling },
    });
    await harness.coordinator().fork({ mode: 'replay' });
    expect(await types()).toEqual(['run.started', 'node.started']);
    expect(await harness.header()).toMatchObject({ status: 'running' });
  });

  it.each([JOB_RECORDED, FORK_ROW_WRITTEN, PAGE_READ, PAGE_WRITTEN, FORK_COMPLETE])(
    'killed at %s, is to go on once it is whole',
    async (point) => {
      await (await delayed()).cancel();
      const publish = jest.spyOn(harness.bus, 'publish');
      await expect(harness.coordinator(killedAt(point)).fork({ mode: 'replay' })).rejects.toThrow();
      expect(publish).not.toHaveBeenCalled();
      await harness.coordinator().works.resume(new Date(harness.now.getTime() + 1));
      expect(await types()).toEqual(['run.started', 'node.started']);
      expect(publish.mock.calls.map(([, { body }]) => body)).toEqual([{ tenantId: TENANT, runId: FORK }]);
      expect(await harness.openJobs()).toEqual([]);
    },
  );
});

describe('a replay of a run that is still going', () => {
  it('repeats what there is, and is to go on behind that', async () => {
    await delayed();
    const publish = jest.spyOn(harness.bus, 'publish');
    await harness.coordinator().fork({ mode: 'replay' });
    expect(await told(FORK)).toEqual(await told(SOURCE));
    expect(await harness.header()).toMatchObject({ status: 'running', state: { replayTarget: 1 } });
    expect(publish.mock.calls.map(([, { body }]) => body)).toEqual([{ tenantId: TENANT, runId: FORK }]);
  });
});

describe('a replay of a run that ended by itself', () => {
  it('ends as it did, with nodes that its failure cancelled, and nobody is asked to go on', async () => {
    const failing = inLine({ first: 'noop', bad: 'fail' });
    const beside = { ...failing, edges: failing.edges.slice(1) };
    const sleeping = { ...beside.nodes[0], id: 'beside', typeId: 'core.delay', config: { delayMs: 5000 } };
    const definition = { ...beside, nodes: [sleeping, ...beside.nodes] as typeof beside.nodes };
    await (await new ExecutedSource(harness.eventLog, definition).start()).advance();
    expect(await types(SOURCE)).toContain('node.cancelled');
    const publish = jest.spyOn(harness.bus, 'publish');
    await harness.coordinator().fork({ mode: 'replay' });
    expect(await told(FORK)).toEqual(await told(SOURCE));
    expect(await harness.header()).toMatchObject({ status: 'failed' });
    expect(publish).not.toHaveBeenCalled();
  });
});
