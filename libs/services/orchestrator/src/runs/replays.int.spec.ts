import { jest } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import {
  isTerminalEventType,
  WORKFLOW_CHAIN_EVENT,
  type JsonObject,
  type RecordedEvent,
  type RunHeader,
} from '@palimpsest/contracts';
import { waitUntil } from '@palimpsest/kernel/testing';
import { LEASE_MS } from '../invocations/ask-once.js';
import type { OrchestratorModuleOptions } from '../orchestrator.module.js';
import type { RunKey } from '../orchestrator-ports.js';
import { ANSWER_KEPT, APPENDED, CALL_CLAIMED, DECIDED, EFFECT_PERFORMED, TIMER_SET } from '../race-points.js';
import { PostgresSideEffectStore } from '../store/postgres-side-effect-store.js';
import { openModelHost, type ModelHost } from '../testing/model-host.js';
import { killedAt } from '../testing/race-points.js';
import { loopWith, modelNode, registerWorkflow } from '../testing/register-workflow.js';
import { replayOf } from '../testing/replay-of.js';
import { TEST_HOSTS, type TestHost } from '../testing/test-hosts.js';
import type { WorkflowHarness } from '../testing/workflow-harness.js';
import { CLAIM_MS } from '../timers/timer-watch.js';

const TENANT = 'acme';
const at = { position: { x: 0, y: 0 }, inputs: {} };

describe.each(TEST_HOSTS)('replays behind what their source recorded %s', (_how, open) => {
  let host: TestHost;
  let harness: WorkflowHarness;
  let provider: ModelHost;
  let sideEffects: PostgresSideEffectStore;
  let running: INestApplicationContext | undefined;
  let names = 0;

  beforeAll(async () => {
    host = await open();
    harness = host.harness();
    provider = await openModelHost(harness);
    sideEffects = new PostgresSideEffectStore(host.database.pool);
    // Seeds the fixtures.
    await (await harness.orchestrator({ sideEffects })).close();
    await registerWorkflow(harness, 'asks-model', modelNode('core.ai.callPrompt', { prompt: 'private' }));
    await registerWorkflow(harness, 'decides', loopWith({ prompt: 'private' }));
  });
  beforeEach(() => {
    provider.respond = () => {
      throw new TypeError('A replay asked a model.');
    };
  });
  afterEach(async () => {
    await running?.close();
    running = undefined;
    jest.restoreAllMocks();
  });
  afterAll(async () => {
    await provider.close();
    await host.close();
  });

  async function startProcess(changes: Partial<OrchestratorModuleOptions> = {}): Promise<void> {
    running = await harness.orchestrator({ sideEffects, model: provider.access, ...changes });
  }

  const name = (): string => `replay-${(names += 1)}`;
  const header = (key: RunKey) => harness.header(key) as Promise<RunHeader>;
  const told = (events: readonly RecordedEvent[]) =>
    events.map(({ type, nodeId, payload }) => ({ type, nodeId, payload }));
  const performed = (nodeId = 'effect') => sideEffects.count({ tenantId: TENANT, nodeId });

  async function untilEnded(key: RunKey): Promise<readonly RecordedEvent[]> {
    await waitUntil(async () => isTerminalEventType((await harness.events(key)).at(-1)?.type ?? ''), {
      what: `${key.runId} has ended`,
    });
    return harness.events(key);
  }

  const untilStarted = (key: RunKey, nodeId: string) =>
    waitUntil(async () =>
      (await harness.events(key)).some((event) => event.type === 'node.started' && event.nodeId === nodeId),
    );
  const timerOf = async ({ runId }: RunKey) => {
    const query = 'SELECT claimed_until FROM orchestrator.timers WHERE run_id = $1';
    return (await host.database.pool.query<{ claimed_until: Date | null }>(query, [runId])).rows[0];
  };

  /** A run of the fixture that was cancelled in its delay, and how many of its events came before that. */
  async function cancelledInFlight(): Promise<{ readonly source: RunKey; readonly count: number }> {
    const source = await harness.record('conformance-replay-side-effect', { inputs: { delayMs: 5000 } });
    await startProcess();
    await harness.job(source);
    await untilStarted(source, 'wait');
    await running?.close();
    running = undefined;
    const count = (await harness.events(source)).length;
    await harness.cancelRun({ ...source });
    return { source, count };
  }

  /** A loop whose worker waits for an answer, up to a phase of its handing off. */
  async function handingOff(phase: string): Promise<{ readonly source: RunKey; readonly count: number }> {
    const mockDecisions = [{ kind: 'next-worker', nextWorkerIds: ['conformance-approval'] }];
    const id = `hands-off-${(names += 1)}`;
    await registerWorkflow(harness, id, loopWith({ mockDecisions }));
    await startProcess();
    const source = await harness.start(id);
    await waitUntil(async () =>
      (await harness.events(source)).some(({ type }) => type === 'node.dispatched'),
    );
    const events = await harness.events(source);
    const place = events.findIndex(({ type, payload }) => type === phase || payload['phase'] === phase);
    return { source, count: place + 1 };
  }

  const childOf = async (source: RunKey): Promise<RunKey> => {
    const dispatched = (await harness.events(source)).find(({ type }) => type === 'node.dispatched');
    return { ...source, runId: dispatched?.payload['childRunId'] as string };
  };

  it('of a replay that was cut short append what the replay would have: they name the run that was executed', async () => {
    const { source, count } = await cancelledInFlight();
    const first = await replayOf(harness, source, { count, runId: name() });
    const second = await replayOf(harness, first, { count, runId: name() });
    await startProcess();
    for (const key of [first, second]) await harness.job(key);
    await waitUntil(async () => (await Promise.all([first, second].map(timerOf))).every(Boolean));
    harness.later(5000);
    const [ofSource = [], ofReplay = []] = await Promise.all([first, second].map(untilEnded));
    expect(told(ofReplay)).toEqual(told(ofSource));
    expect(ofReplay.at(-1)?.payload).toMatchObject({ error: { details: { sourceRunId: source.runId } } });
  });

  it('let time pass, and have no effect of which there is no record', async () => {
    const { source, count } = await cancelledInFlight();
    const before = await performed();
    const keys: RunKey[] = [];
    for (const runId of [name(), name()]) keys.push(await replayOf(harness, source, { count, runId }));
    await startProcess();
    for (const key of keys) await harness.job(key);
    await waitUntil(async () => (await Promise.all(keys.map(timerOf))).every(Boolean));
    harness.later(5000);
    const [first = [], second = []] = await Promise.all(keys.map(untilEnded));
    expect(told(first)).toEqual(told(second));
    expect(told(first).slice(0, count)).toEqual(told(await harness.events(source)).slice(0, count));
    const error = expect.objectContaining({
      code: 'replay_source_missing',
      details: { sourceRunId: source.runId, nodeId: 'effect', attempt: 0 },
    });
    expect(told(first).slice(count)).toEqual([
      { type: 'node.completed', nodeId: 'wait', payload: { nodeId: 'wait', outputs: {} } },
      { type: 'node.started', nodeId: 'effect', payload: expect.anything() },
      { type: 'node.failed', nodeId: 'effect', payload: { nodeId: 'effect', error, attempts: 1 } },
      { type: 'run.failed', nodeId: undefined, payload: { error, failedNodeId: 'effect' } },
    ]);
    expect(await performed()).toBe(before);
  });

  it.each([DECIDED, APPENDED, TIMER_SET])(
    'and are the same where an orchestrator is killed at %s',
    async (point) => {
      const { source, count } = await cancelledInFlight();
      const key = await replayOf(harness, source, { count, runId: name() });
      const races = killedAt(point);
      await startProcess({ races });
      await harness.job(key);
      await waitUntil(() => timerOf(key));
      harness.later(5000);
      await waitUntil(async () => {
        // A timer that died with its process is claimed anew when the claim is over.
        if ((await timerOf(key))?.claimed_until) harness.later(CLAIM_MS);
        return isTerminalEventType((await harness.events(key)).at(-1)?.type ?? '');
      });
      expect(races.reached()).toBeGreaterThan(0);
      expect((await harness.events(key)).slice(count).map(({ type }) => type)).toEqual([
        'node.completed',
        'node.started',
        'node.failed',
        'run.failed',
      ]);
    },
  );

  it.each([
    ['asks-model', 'n', 'node.failed'],
    ['decides', 's', 'node.failed'],
  ])('ask no model: %s', async (workflowId, nodeId, type) => {
    const source = await harness.record(workflowId, { context: CONTEXT });
    // What the orchestrator recorded before its provider answered.
    await harness.note(source, { type: 'node.started', nodeId, payload: startOf(nodeId) });
    const key = await replayOf(harness, source, { count: 2, runId: name() });
    const asked = jest.spyOn(provider.access.model, 'ask');
    const planned = jest.spyOn(provider.windows, 'planWindow');
    await startProcess();
    await harness.job(key);
    const events = await untilEnded(key);
    expect(events.slice(2)).toMatchObject([
      { type, nodeId, payload: { error: { code: 'replay_source_missing' } } },
      { type: 'run.failed', payload: { error: { code: 'replay_source_missing' } } },
    ]);
    expect([asked.mock.calls, planned.mock.calls]).toEqual([[], []]);
    const { rowCount } = await host.database.pool.query(
      'SELECT 1 FROM orchestrator.model_invocations WHERE run_id = $1',
      [key.runId],
    );
    expect(rowCount).toBe(0);
  });

  it.each([
    ['dispatch.began', 'dispatch.failed'],
    ['dispatch.succeeded', 'child.failed'],
    ['node.dispatched', 'child.failed'],
  ])(
    'begun at %s, start no child, wait for none and leave alone those of their source',
    async (phase, end) => {
      const { source, count } = await handingOff(phase);
      const child = await childOf(source);
      await waitUntil(async () => (await header(child)).status === 'waiting-approval');
      const [childBefore, sourceBefore] = [await header(child), await header(source)];
      const keys = [name(), name()];
      const logs: RecordedEvent[][] = [];
      for (const runId of keys) {
        const key = await replayOf(harness, source, { count, runId });
        await harness.job(key);
        logs.push([...(await untilEnded(key))]);
      }
      const [first = [], second = []] = logs;
      expect(told(first)).toEqual(told(second));
      const chain = first.filter(({ type }) => type === WORKFLOW_CHAIN_EVENT);
      expect(chain.at(-1)?.payload).toMatchObject({
        phase: end,
        parentRunId: source.runId,
        error: { code: 'replay_source_missing' },
      });
      expect(first.at(-1)).toMatchObject({ type: 'run.failed' });
      expect([await header(child), await header(source)]).toEqual([childBefore, sourceBefore]);
      const causes = new Set(first.map(({ eventId }) => eventId));
      for (const { causationId } of first)
        if (causationId !== undefined) expect(causes.has(causationId)).toBe(true);
    },
  );

  it('that are cancelled end at once, and their source’s children do not', async () => {
    const { source, count } = await handingOff('node.dispatched');
    const child = await childOf(source);
    await waitUntil(async () => (await header(child)).status === 'waiting-approval');
    await running?.close();
    const key = await replayOf(harness, source, { count, runId: name() });
    await harness.cancelRun({ ...key });
    expect((await header(key)).status).toBe('cancelling');
    await startProcess();
    await harness.job(key);
    expect((await untilEnded(key)).at(-1)?.type).toBe('run.cancelled');
    expect((await header(child)).status).toBe('waiting-approval');
  });

  it('wait for an answer that their source was not given either', async () => {
    const source = await harness.record('conformance-approval');
    await startProcess();
    await harness.job(source);
    await waitUntil(async () => (await header(source)).status === 'waiting-approval');
    const count = (await harness.events(source)).length;
    const key = await replayOf(harness, source, { count, runId: name() });
    // Up to the request, and no further: the orchestrator suspends the node.
    const cut = await replayOf(harness, source, { count: count - 1, runId: name() });
    await harness.job(key);
    await harness.job(cut);
    await waitUntil(async () => (await header(cut)).head === count - 1);
    expect(told(await harness.events(cut))).toEqual(told(await harness.events(source)));
    expect((await header(cut)).status).toBe('waiting-approval');
    expect((await header(key)).head).toBe(count - 1);
  });

  it('are left alone while they have yet to repeat', async () => {
    const { source, count } = await cancelledInFlight();
    const key = await replayOf(harness, source, {
      count: count - 1,
      runId: name(),
      replayTarget: count - 1,
    });
    await startProcess();
    await harness.job(key);
    const marker = await harness.start('conformance-noop');
    await untilEnded(marker);
    expect(await header(key)).toMatchObject({ head: count - 2 });
  });

  it.each([CALL_CLAIMED, EFFECT_PERFORMED, ANSWER_KEPT, APPENDED])(
    'and a live effect counts once, also where an orchestrator is killed at %s',
    async (point) => {
      const before = await performed();
      const races = killedAt(point);
      await startProcess({ races });
      const key = await harness.start('conformance-replay-side-effect', { inputs: { delayMs: 0 } });
      await waitUntil(() => races.reached() === 1);
      // What the dead process claimed is anybody's again.
      harness.later(LEASE_MS);
      await harness.job(key);
      await untilEnded(key);
      expect((await harness.events(key)).slice(-2)).toMatchObject([
        { type: 'node.completed', nodeId: 'effect', payload: { outputs: { performed: true } } },
        { type: 'run.completed' },
      ]);
      expect(await performed()).toBe(before + 1);
    },
  );

  it('and an effect on a host without the seam fails by name', async () => {
    running = await harness.orchestrator();
    await registerWorkflow(harness, 'effect-alone', {
      nodes: [{ ...at, id: 'alone', typeId: 'core.conformance.side-effect', name: 'Effect', config: {} }],
    });
    const key = await harness.start('effect-alone');
    expect((await untilEnded(key)).at(-1)?.payload).toMatchObject({ error: { code: 'capability_required' } });
    expect(await performed('alone')).toBe(0);
  });

  const CONTEXT = {
    transcriptTokenBudget: 4000,
    tokenCounter: 'chars',
    keepLastTurns: 1,
    strategy: 'none',
  } as const;

  function startOf(nodeId: string): JsonObject {
    if (nodeId === 'n') return { nodeId, typeId: 'core.ai.callPrompt', attempt: 0 };
    const agent = { agentId: 'palimpsest.supervisor' };
    return { nodeId, typeId: 'core.orchestrator.supervisor', attempt: 0, agent };
  }
});
