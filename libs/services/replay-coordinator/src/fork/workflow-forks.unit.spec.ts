import {
  RUN_OVERLAID,
  STREAMS,
  type JsonObject,
  type WorkflowDefinition,
  type WorkflowRunState,
} from '@palimpsest/contracts';
import { advance, foldWorkflowRun, runStatusOf, startRun } from '@palimpsest/workflow';
import { waitUntil } from '@palimpsest/kernel/testing';
import { FORK_LINKED } from '../race-points.js';
import { CoordinatorHarness, FORK, killedAt } from '../testing/coordinator-harness.js';
import { expectRowOfLog } from '../testing/expect-row-of-log.js';
import { SOURCE, TENANT } from '../testing/source-run.js';

const digest = '0'.repeat(64);

const definition: WorkflowDefinition = {
  id: 'three-steps',
  name: 'Three steps',
  version: '1',
  nodes: ['first', 'wait', 'last'].map((id) => ({
    id,
    typeId: id === 'wait' ? 'core.delay' : 'core.noop',
    name: id,
    position: { x: 0, y: 0 },
    config: id === 'wait' ? { delayMs: 60_000 } : {},
    inputs: {},
  })),
  edges: [
    { id: 'e1', sourceNodeId: 'first', targetNodeId: 'wait' },
    { id: 'e2', sourceNodeId: 'wait', targetNodeId: 'last' },
  ],
  triggers: [],
  variables: [],
  metadata: {},
  settings: {},
};

const context = {
  transcriptTokenBudget: 4000,
  tokenCounter: 'chars',
  keepLastTurns: 2,
  strategy: 'none',
} as const;

const asIs = (value: JsonObject): JsonObject => value;

let harness: CoordinatorHarness;
const started = new Date('2026-01-01T00:00:00.000Z');

/** Writes what run log and orchestrator would, up to the delay, or to the end. */
async function execute(until: 'the delay' | 'the end'): Promise<void> {
  const key = { tenantId: TENANT, runId: SOURCE };
  const bounds = { maxNodeExecutions: 100, maxRunDurationMs: 3_600_000 };
  const command = {
    ...key,
    workflowId: definition.id,
    workflowDigest: digest,
    inputs: {},
    defaults: {},
    bounds,
    context,
  };
  const events = startRun(command);
  const dated = events.map((event, sequence) => ({ ...event, sequence, timestamp: started.toISOString() }));
  let state = dated.reduce<WorkflowRunState | undefined>(foldWorkflowRun, undefined);
  if (!state) throw new TypeError('a run starts');
  const header = { status: runStatusOf(state), state: state as unknown as JsonObject };
  await harness.eventLog.append({
    ...key,
    expectedHead: 'no-run',
    events,
    at: started,
    workflowId: definition.id,
    header,
  });
  const moments = until === 'the end' ? [started, new Date(started.getTime() + 60_000)] : [started];
  for (const now of moments) {
    const head = (await harness.header(SOURCE))?.head ?? -1;
    const step = advance({
      runId: SOURCE,
      definition,
      state,
      head,
      now,
      childRunIdOf: () => 'none',
      redact: asIs,
    });
    state = step.state;
    await harness.eventLog.append({
      ...key,
      expectedHead: head,
      events: step.events,
      at: now,
      header: { status: step.status, state: state as unknown as JsonObject },
    });
  }
}

async function jobs(): Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  await harness.bus.ensureStream(STREAMS.advance);
  const consumer = await harness.bus.consume(
    { stream: STREAMS.advance, durable: 'spec' },
    async ({ body }) => {
      seen.push(body);
    },
  );
  await waitUntil(() => seen.length > 0).catch(() => undefined);
  await consumer.close();
  return seen;
}

beforeEach(() => (harness = new CoordinatorHarness()));
afterEach(() => expectRowOfLog(harness));
afterEach(() => harness.bus.close());

describe('a replay of a run that the host executed', () => {
  it('repeats its events and ends as it did; two of them are equal', async () => {
    await execute('the end');
    await harness.coordinator().fork({ mode: 'replay' });
    await harness.coordinator().fork({ mode: 'replay', forkRunId: 'other-fork' });
    const told = async (run: string) =>
      (await harness.events(run)).map(({ type, nodeId, payload }) => ({ type, nodeId, payload }));
    expect(await told(FORK)).toEqual(await told(SOURCE));
    expect(await told('other-fork')).toEqual(await told(FORK));
    const [fork, source] = [await harness.header(), await harness.header(SOURCE)];
    expect(fork).toMatchObject({ status: 'completed', head: source?.head, workflowId: 'three-steps' });
    expect(fork?.state).toMatchObject({ nodeExecutions: 3, ended: 'completed', replayTarget: source?.head });
  });
});

describe('a branch of it', () => {
  it('runs on from the prefix as if that had happened just now', async () => {
    await execute('the end');
    const waiting = (await harness.events(SOURCE)).find(
      ({ type, nodeId }) => type === 'node.started' && nodeId === 'wait',
    );
    const fromSeq = (waiting?.sequence ?? 0) + 1;
    await harness.coordinator().fork({ mode: 'branch', fromSeq });
    const fork = await harness.header();
    expect(fork).toMatchObject({ status: 'running', head: fromSeq - 1 });
    const state = fork?.state as unknown as WorkflowRunState;
    expect(state.nodes['wait']).toMatchObject({ status: 'running', startedAt: harness.now.toISOString() });
    expect(state.activeSince).toBe(harness.now.toISOString());
    const at = { state, head: fromSeq - 1, now: harness.now };
    const step = advance({ runId: FORK, definition, ...at, redact: asIs, childRunIdOf: () => 'none' });
    expect(step).toMatchObject({ events: [], wakeAt: new Date(harness.now.getTime() + 60_000) });
    expect(await jobs()).toEqual([{ tenantId: TENANT, runId: FORK }]);
  });

  it('has the pins and the settings of its prefix', async () => {
    await execute('the delay');
    const head = (await harness.header(SOURCE))?.head ?? -1;
    const pin = {
      type: 'palimpsest.pin.added',
      payload: { pinId: 'pin_a', artifactId: 'a' },
      schemaVersion: 1,
    };
    const counts = { o200k_base: 1, cl100k_base: 2, chars: 30 };
    const key = { tenantId: TENANT, runId: SOURCE };
    await harness.eventLog.append({ ...key, expectedHead: head, events: [{ ...pin, counts }], at: started });
    await harness.coordinator().fork({ mode: 'branch', fromSeq: head + 2 });
    const pins = { pin_a: { sequence: head + 1, tokens: 30 } };
    expect((await harness.header())?.state).toMatchObject({ context, pins });
    await harness.coordinator().fork({ mode: 'branch', fromSeq: head + 1, forkRunId: 'before' });
    expect((await harness.header('before'))?.state).not.toHaveProperty('pins');
  });

  it('runs on under the settings of its overlay, once that is recorded, and then only', async () => {
    await execute('the delay');
    const { head = -1, state: before } = (await harness.header(SOURCE)) ?? {};
    const overlay = {
      context: { ...context, transcriptTokenBudget: 900 },
      bounds: { maxNodeExecutions: 7, maxRunDurationMs: 1000 },
      configurable: { model: 'm' },
    };
    const asked = { mode: 'branch' as const, fromSeq: head + 1, overlay };
    await expect(harness.coordinator(killedAt(FORK_LINKED)).fork(asked)).rejects.toThrow('killed');
    expect(await harness.header()).toMatchObject({ status: 'pending', state: { replayTarget: head + 1 } });
    await harness.coordinator().works.resume(new Date(harness.now.getTime() + 1));
    const fork = await harness.header();
    expect(fork).toMatchObject({ status: 'running', head: head + 1 });
    const { nodes } = before as unknown as WorkflowRunState;
    expect(fork?.state).toMatchObject({
      ...overlay,
      lastSequence: head + 1,
      nodes: { first: nodes['first'] },
    });
    expect(fork?.state).not.toHaveProperty('replayTarget');
    expect(await jobs()).toEqual([{ tenantId: TENANT, runId: FORK }]);
  });

  it('from 0 with an overlay starts as its source did, under other settings', async () => {
    await execute('the delay');
    const overlay = { bounds: { maxNodeExecutions: 7, maxRunDurationMs: 1000 } };
    await harness.coordinator().fork({ mode: 'branch', fromSeq: 0, overlay });
    expect((await harness.events()).map(({ type }) => type)).toEqual(['run.started', RUN_OVERLAID]);
    const state = (await harness.header())?.state;
    expect(state).toMatchObject({ ...overlay, rootRunId: SOURCE, nodes: {}, lastSequence: 1 });
    expect(state).not.toHaveProperty('replayTarget');
  });

  it('from 0 starts as its source did', async () => {
    await execute('the delay');
    await harness.coordinator().fork({ mode: 'branch', fromSeq: 0 });
    expect(await harness.header()).toMatchObject({ status: 'pending', head: 0 });
    expect((await harness.header())?.state).toMatchObject({ rootRunId: SOURCE, nodes: {}, activeMs: 0 });
    expect(await jobs()).toEqual([{ tenantId: TENANT, runId: FORK }]);
  });
});
