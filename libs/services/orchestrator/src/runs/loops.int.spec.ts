import type { INestApplicationContext } from '@nestjs/common';
import {
  isTerminalEventType,
  ORCHESTRATOR_DECIDED,
  WORKFLOW_CHAIN_EVENT,
  type JsonObject,
  type RecordedEvent,
  type WorkflowDefinition,
  type WorkflowRunState,
} from '@palimpsest/contracts';
import { waitUntil } from '@palimpsest/kernel/testing';
import { foldWorkflowRun } from '@palimpsest/workflow';
import { HOST } from '../definitions/definition-store.js';
import { workflowVersionOf } from '../definitions/workflow-version.js';
import type { OrchestratorModuleOptions } from '../orchestrator.module.js';
import type { RunKey } from '../orchestrator-ports.js';
import {
  APPENDED,
  CHILD_AWAITED,
  CHILD_CREATED,
  CHILD_ENDED,
  CHILD_END_SEEN,
  DECIDED,
  HAND_OFF_BEGAN,
  TIMER_SET,
} from '../race-points.js';
import { definitionOf } from '../testing/definitions.js';
import { expectSoundLog } from '../testing/expect-sound-log.js';
import { killedAt, meetingAt } from '../testing/race-points.js';
import { TEST_HOSTS, type TestHost } from '../testing/test-hosts.js';
import type { WorkflowHarness } from '../testing/workflow-harness.js';
import { advanceRun } from './advance-run.js';
import { childRunIdOf } from './child-run-id.js';

describe.each(TEST_HOSTS)('runs with an execution loop %s', (_how, open) => {
  let host: TestHost;
  let harness: WorkflowHarness;
  let running: INestApplicationContext | undefined;

  beforeAll(async () => {
    host = await open();
    harness = host.harness();
    // Seeds the fixtures.
    await (await harness.orchestrator()).close();
  });
  afterEach(async () => {
    await running?.close();
    running = undefined;
  });
  afterAll(() => host.close());

  async function startProcess(changes: Partial<OrchestratorModuleOptions> = {}): Promise<void> {
    running = await harness.orchestrator(changes);
  }

  async function untilEnded(key: RunKey): Promise<readonly RecordedEvent[]> {
    await waitUntil(async () => isTerminalEventType((await harness.events(key)).at(-1)?.type ?? ''), {
      what: `${key.runId} has ended`,
    });
    const events = await harness.events(key);
    expectSoundLog(await harness.header(key), events);
    return events;
  }

  const untilStatus = (key: RunKey, status: string) =>
    waitUntil(async () => (await harness.header(key))?.status === status, {
      what: `${key.runId} is ${status}`,
    });

  const ofType = (events: readonly RecordedEvent[], type: string) =>
    events.filter((event) => event.type === type);
  const phasesOf = (events: readonly RecordedEvent[]) =>
    ofType(events, WORKFLOW_CHAIN_EVENT).map(({ payload }) => payload['phase']);
  const childrenOf = ({ tenantId }: RunKey, events: readonly RecordedEvent[]): readonly RunKey[] =>
    ofType(events, 'node.dispatched').map(({ payload }) => ({
      tenantId,
      runId: payload['childRunId'] as string,
    }));
  const inputsOf = async (key: RunKey | undefined) => key && (await harness.header(key))?.state['inputs'];
  const iterationsOf = (events: readonly RecordedEvent[]) =>
    ofType(events, ORCHESTRATOR_DECIDED).map(({ payload }) => payload['iteration']);

  async function ended(workflowId: string, configurable?: JsonObject) {
    const key = await harness.start(workflowId, configurable ? { configurable } : {});
    const events = await untilEnded(key);
    return { key, events, header: await harness.header(key), children: childrenOf(key, events) };
  }

  async function childOf(key: RunKey): Promise<RunKey> {
    let child: RunKey | undefined;
    await waitUntil(async () => {
      [child] = childrenOf(key, await harness.events(key));
      return child !== undefined;
    });
    if (!child) throw new TypeError('There is no child.');
    return child;
  }

  async function register(id: string, changes: Partial<WorkflowDefinition>): Promise<void> {
    const version = workflowVersionOf(definitionOf(id, changes));
    await harness.stores.definitions.put({ ...version, owner: HOST, fixture: false }, harness.now);
  }

  /** A loop that hands off to these workers in one turn, and then ends. */
  function loopTo(
    workers: readonly string[],
    dispatch: WorkflowDefinition['nodes'][number]['config'] = {},
  ): Partial<WorkflowDefinition> {
    const mockDecisions = [{ kind: 'next-worker', nextWorkerIds: [...workers] }, { kind: 'terminate' }];
    const at = { position: { x: 0, y: 0 }, inputs: {} };
    return {
      nodes: [
        { id: 's', typeId: 'core.orchestrator.supervisor', name: 's', config: { mockDecisions }, ...at },
        { id: 'd', typeId: 'core.dispatch', name: 'd', config: dispatch, ...at },
      ],
      edges: [
        { id: 'e1', sourceNodeId: 's', targetNodeId: 'd' },
        { id: 'e2', sourceNodeId: 'd', targetNodeId: 's' },
      ],
    };
  }

  describe('of the fixtures', () => {
    it.each([
      ['conformance-orchestrator-dispatch', 2],
      ['conformance-orchestrator-terminate', 1],
      ['conformance-dispatch-loop', 2],
      ['conformance-context-budget-multiturn', 5],
    ])('takes %s through its turns', async (workflowId, turns) => {
      await startProcess();
      const { events, header } = await ended(workflowId);
      expect(header?.status).toBe('completed');
      expect(iterationsOf(events)).toEqual(Array.from({ length: turns }, (_, place) => place + 1));
    });

    it('hands off, and takes over what the worker leaves', async () => {
      await startProcess();
      const { key, events, header, children } = await ended('conformance-multi-agent-handoff');
      expect(phasesOf(events)).toEqual([
        'dispatch.began',
        'dispatch.succeeded',
        'child.completed',
        'output.harvested',
      ]);
      expect(ofType(events, WORKFLOW_CHAIN_EVENT).at(-1)?.payload['harvestedKeys']).toEqual(['parentResult']);
      expect(header?.state).toMatchObject({ variables: { parentResult: 'handoff-complete' } });
      const [child] = children;
      const childHeader = child && (await harness.header(child));
      expect(childHeader).toMatchObject({ status: 'completed', state: { parentRunId: key.runId, depth: 1 } });
    });

    it('maps outputs and inputs, of all workers and of one', async () => {
      await startProcess();
      const output = await ended('conformance-dispatch-output-mapping');
      expect(output.header?.state).toMatchObject({ variables: { parentResult: 'done' } });
      const input = await ended('conformance-dispatch-input-mapping');
      expect(await inputsOf(input.children[0])).toEqual({ childGreeting: 'Alice' });
      const absent = await ended('conformance-dispatch-input-mapping-no-default');
      expect(await inputsOf(absent.children[0])).toEqual({});
      const override = await ended('conformance-dispatch-per-worker-override');
      expect(await Promise.all(override.children.map(inputsOf))).toEqual([
        { input: 'default-x-value' },
        { input: 'shared-value' },
      ]);
      const cross = await ended('conformance-dispatch-cross-worker-handoff');
      expect(await Promise.all(cross.children.map(inputsOf))).toEqual([{}, { input: 'hello' }]);
    });

    it.each([
      ['conformance-orchestrator-low-confidence', 0],
      ['conformance-multi-agent-confidence-escalation', 1],
    ])('holds the decision of %s until somebody has ratified it', async (workflowId, escalations) => {
      await startProcess();
      const key = await harness.start(workflowId);
      await untilStatus(key, 'waiting-approval');
      const held = await harness.events(key);
      expect(iterationsOf(held)).toEqual([]);
      expect(ofType(held, 'core.workflowChain.confidence-escalated')).toHaveLength(escalations);
      await harness.resolve(key, 'supervisor', { action: 'accept' });
      await harness.job(key);
      expect(iterationsOf(await untilEnded(key))).toEqual([1, 2]);
    });

    it('ends where the run may not take another turn', async () => {
      await startProcess();
      const { events, header } = await ended('conformance-context-budget-multiturn', {
        maxLoopIterations: 2,
      });
      expect(header?.state).toMatchObject({ error: { code: 'loop_limit_exceeded' } });
      expect(iterationsOf(events)).toEqual([1, 2]);
    });
  });

  const POINTS = [HAND_OFF_BEGAN, CHILD_CREATED, CHILD_AWAITED, CHILD_END_SEEN, CHILD_ENDED, TIMER_SET];
  const TIMES = [
    ...POINTS.flatMap((point) => [1, 2].map((time) => [point, time] as const)),
    ...[APPENDED, DECIDED].flatMap((point) => [1, 2, 3, 4, 5, 6, 7].map((time) => [point, time] as const)),
  ];

  describe('killed', () => {
    it.each(TIMES)('at %s, time %i, takes each step once', async (point, time) => {
      const races = killedAt(point, time);
      await startProcess({ races });
      const { events, header, children } = await ended('conformance-dispatch-cross-worker-handoff');
      expect(races.reached()).toBeGreaterThanOrEqual(time);
      expect(header?.status).toBe('completed');
      expect(phasesOf(events)).toEqual([
        'dispatch.began',
        'dispatch.succeeded',
        'child.completed',
        'output.harvested',
        'dispatch.began',
        'dispatch.succeeded',
        'child.completed',
      ]);
      expect(iterationsOf(events)).toEqual([1, 2]);
      expect(await Promise.all(children.map(inputsOf))).toEqual([{}, { input: 'hello' }]);
      for (const child of children) expect((await untilEnded(child)).at(-1)?.type).toBe('run.completed');
    });
  });

  it('by two orchestrators at once starts each child once', async () => {
    const races = meetingAt(CHILD_CREATED, 2);
    const key = await harness.record('conformance-orchestrator-dispatch');
    await advanceRun({ ...harness.ports(), childRuns: unavailable() }, key).catch(() => undefined);
    await Promise.all([advanceRun(harness.ports(races), key), advanceRun(harness.ports(races), key)]);
    const events = await harness.events(key);
    expect(phasesOf(events).slice(0, 2)).toEqual(['dispatch.began', 'dispatch.succeeded']);
    await startProcess();
    await untilEnded(key);
  });

  function unavailable(): OrchestratorModuleOptions['childRuns'] {
    const away = () => Promise.reject(new TypeError('away'));
    return { startWorkflow: away, cancelRun: away };
  }

  it('goes on the same way as a branch from every place of its log', async () => {
    await startProcess();
    const source = await ended('conformance-dispatch-cross-worker-handoff');
    for (let fromSequence = 1; fromSequence < source.events.length; fromSequence += 1) {
      const key = { ...source.key, runId: `${source.key.runId}-at-${fromSequence}` };
      const shared = source.events.slice(0, fromSequence);
      const state = shared.reduce<WorkflowRunState | undefined>(foldWorkflowRun, undefined);
      await harness.stores.eventLog.fork({
        ...key,
        origin: { runId: source.key.runId, fromSequence, mode: 'branch' },
        at: harness.now,
        status: 'running',
        state: state as unknown as JsonObject,
      });
      await harness.job(key);
      const events = await untilEnded(key);
      expect(events.map(({ type }) => type)).toEqual(source.events.map(({ type }) => type));
      expect(await Promise.all(childrenOf(key, events).map(inputsOf))).toEqual([{}, { input: 'hello' }]);
    }
  });

  it('looks by itself where the word of its child was lost', async () => {
    const key = await harness.record('conformance-orchestrator-dispatch');
    const dueAt = await advanceRun(harness.ports(), key);
    expect(dueAt?.getTime()).toBe(harness.now.getTime() + 5000);
    const [child] = childrenOf(key, await harness.events(key));
    const silent = { ...harness.ports(), bus: { publish: () => Promise.resolve() } };
    if (child) await advanceRun(silent, child);
    harness.later(5000);
    await startProcess();
    await untilEnded(key);
  });

  describe('with a worker that', () => {
    /** A worker with a variable `mine` that computes `report` and `mine`. */
    const computing = (typeId: string): Partial<WorkflowDefinition> => ({
      nodes: [
        {
          ...{ id: 'n', typeId, name: 'n', position: { x: 0, y: 0 }, config: {} },
          inputs: {
            report: { type: 'static', value: { found: 3 } },
            mine: { type: 'static', value: 'computed' },
          },
        },
      ],
      variables: [{ name: 'mine', type: 'string', defaultValue: 'declared' }],
    });
    const outputMapping = { absent: 'nothing', kept: 'mine', taken: 'report' };

    it('computes, hands over its outputs, behind its variables', async () => {
      await register('w-computes', computing('core.identity'));
      await register('w-maps', loopTo(['w-computes'], { outputMapping }));
      await startProcess();
      const { header, events } = await ended('w-maps');
      expect(header).toMatchObject({
        status: 'completed',
        state: { variables: { kept: 'declared', taken: { found: 3 } } },
      });
      expect(ofType(events, WORKFLOW_CHAIN_EVENT).at(-1)?.payload).toMatchObject({
        phase: 'output.harvested',
        harvestedKeys: ['kept', 'taken'],
      });
    });

    it('fails, hands over nothing', async () => {
      await register('w-breaks', computing('core.fail'));
      await register('w-maps-none', loopTo(['w-breaks'], { outputMapping }));
      await startProcess();
      const { header, events } = await ended('w-maps-none');
      expect(header).toMatchObject({ status: 'failed', state: { variables: {} } });
      expect(ofType(events, 'variable.changed')).toEqual([]);
    });

    it('fails, fails with its code beside it', async () => {
      await register(
        'w-fails',
        loopTo(['conformance-dispatch-deterministic-fail-child', 'conformance-noop']),
      );
      await startProcess();
      const { header, children, events } = await ended('w-fails');
      expect(header?.state).toMatchObject({
        error: { code: 'child_failed', details: { childErrorCode: 'hvmap_1b_failed_fixture' } },
      });
      expect(phasesOf(events)).toEqual(['dispatch.began', 'dispatch.succeeded', 'child.failed']);
      const [child] = children;
      expect(child && (await harness.header(child))?.state).toMatchObject({
        error: { code: 'hvmap_1b_failed_fixture' },
      });
    });

    it('nobody knows, fails without a child', async () => {
      await register('w-unknown', loopTo(['nobody-has-this']));
      await startProcess();
      const { header, events } = await ended('w-unknown');
      expect(header?.state).toMatchObject({ error: { code: 'unknown_child_workflow' } });
      expect(phasesOf(events)).toEqual(['dispatch.began', 'dispatch.failed']);
    });

    it('lacks an input that it needs, fails without a child', async () => {
      await register('w-input', loopTo(['conformance-idempotent']));
      await startProcess();
      const { header } = await ended('w-input');
      expect(header?.state).toMatchObject({
        error: { code: 'validation_error', details: { field: 'inputs.nonce' } },
      });
    });

    it('is itself, ends at the bound of depth', async () => {
      await register('w-self', loopTo(['w-self']));
      await startProcess({ maxChildDepth: 3 });
      const { header, children } = await ended('w-self');
      expect(header?.state).toMatchObject({ error: { code: 'child_failed' } });
      let depth = 0;
      for (let next = children[0]; next; depth += 1) next = childrenOf(next, await untilEnded(next))[0];
      expect(depth).toBe(3);
    });

    it('is cancelled by itself, fails', async () => {
      await register('w-cancelled', loopTo(['conformance-dispatch-cancellable-child']));
      await startProcess();
      const key = await harness.start('w-cancelled');
      const child = await childOf(key);
      await untilStatus(child, 'running');
      await harness.cancelRun(child);
      await harness.job(child);
      expect(phasesOf(await untilEnded(key)).at(-1)).toBe('child.cancelled');
      expect((await harness.header(key))?.state).toMatchObject({ error: { code: 'child_cancelled' } });
    });
  });

  describe('that is cancelled', () => {
    const workflowId = 'w-waits';
    beforeAll(() => register(workflowId, loopTo(['conformance-dispatch-cancellable-child'])));

    it('has its children end first, through all generations', async () => {
      await register('w-grandparent', loopTo([workflowId]));
      await startProcess();
      const key = await harness.start('w-grandparent');
      const child = await childOf(key);
      const grandchild = await childOf(child);
      await untilStatus(grandchild, 'running');
      await harness.cancelRun({ ...key, reason: 'enough' });
      expect((await harness.header(key))?.status).toBe('cancelling');
      await harness.job(key);
      // The middle one waits for its own child: it is looked at again after a while.
      await waitUntil(async () => {
        harness.later(1000);
        return isTerminalEventType((await harness.events(key)).at(-1)?.type ?? '');
      });
      const ends = await Promise.all(
        [key, child, grandchild].map(async (each) => (await untilEnded(each)).at(-1)),
      );
      expect(ends.map((end) => end?.payload)).toEqual([
        { reason: 'enough' },
        { reason: 'parent-cancelled', parentRunId: key.runId },
        { reason: 'parent-cancelled', parentRunId: child.runId },
      ]);
    });

    it('leaves no child behind that was about to be started', async () => {
      const key = await harness.record(workflowId);
      const races = {
        reach: async (name: string) => {
          if (name !== HAND_OFF_BEGAN) return;
          await harness.cancelRun(key);
          await advanceRun(harness.ports(), key);
        },
      };
      await advanceRun(harness.ports(races), key);
      const [, , , , , began] = await untilEnded(key);
      const child = { ...key, runId: childRunIdOf(key.runId, began?.sequence ?? 0) };
      await advanceRun(harness.ports(), child);
      expect((await untilEnded(child)).at(-1)).toMatchObject({
        type: 'run.cancelled',
        payload: { reason: 'parent-cancelled', parentRunId: key.runId },
      });
    });
  });

  it('that only a model could decide fails, as there is none', async () => {
    await register('w-model', {
      nodes: [
        {
          id: 's',
          typeId: 'core.orchestrator.supervisor',
          name: 's',
          config: { prompt: 'Plan.' },
          inputs: {},
          position: { x: 0, y: 0 },
        },
      ],
    });
    await startProcess();
    expect((await ended('w-model')).header?.state).toMatchObject({ error: { code: 'capability_required' } });
  });
});
