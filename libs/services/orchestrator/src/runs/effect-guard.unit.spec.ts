import { jest } from '@jest/globals';
import { MemoryEventLog } from '@palimpsest/adapter-memory';
import type { JsonObject, WorkflowDefinition } from '@palimpsest/contracts';
import { noRacePoints, permitEffects, silentLogger, type EffectPermit } from '@palimpsest/kernel';
import type { Effect } from '@palimpsest/workflow';
import { MemoryDefinitionStore } from '../definitions/memory-definition-store.js';
import { askOnce } from '../invocations/ask-once.js';
import { MemoryInvocationStore } from '../invocations/memory-invocation-store.js';
import { ModelNodes } from '../model-nodes/model-nodes.js';
import type { ExecutionPorts, RunKey } from '../orchestrator-ports.js';
import { ModelPlanner } from '../planner/model-planner.js';
import { MemorySideEffectStore } from '../side-effects/memory-side-effect-store.js';
import { SideEffects } from '../side-effects/side-effects.js';
import { loopWith, modelNode, registerWorkflow } from '../testing/register-workflow.js';
import { replayOf } from '../testing/replay-of.js';
import { WorkflowHarness } from '../testing/workflow-harness.js';
import { MemoryTimerStore } from '../timers/memory-timer-store.js';
import { advanceRun } from './advance-run.js';
import { lookAtChild } from './await-child.js';
import { cancelChildren } from './cancel-children.js';
import { tellParent } from './parent-run.js';
import { performEffect } from './perform-effect.js';
import { startChild } from './start-child.js';
import { workflowRunOf, type WorkflowRun } from './workflow-run.js';

const DENIED = expect.objectContaining({ code: 'replay_effect_denied', retryable: false });
const at = { position: { x: 0, y: 0 }, inputs: {} };
const agent = { agentId: 'palimpsest.supervisor' };

/** Every effect that the engine knows. */
const EFFECTS: readonly Effect[] = [
  { kind: 'decide', nodeId: 's', iteration: 1, agent, config: { prompt: 'p' }, inputs: {} },
  {
    kind: 'ask-model',
    nodeId: 'n',
    typeId: 'core.ai.callPrompt',
    attempt: 0,
    config: { prompt: 'p' },
    inputs: {},
  },
  { kind: 'perform', nodeId: 'e', typeId: 'core.conformance.side-effect', attempt: 0 },
  { kind: 'start-child', nodeId: 'd', workerId: 'worker', childRunId: 'child', inputs: {} },
  { kind: 'await-child', nodeId: 'd', childRunId: 'child' },
  { kind: 'end-children', childRunIds: ['child'] },
];

/** The outside: whoever touches it is found out. */
const touched = jest.fn<(what: string) => void>();
const outside = (what: string): never => {
  touched(what);
  throw new TypeError(`A replay reached ${what}.`);
};

let harness: WorkflowHarness;
let ports: ExecutionPorts;
let replay: WorkflowRun;
let errors: jest.Mock;

beforeEach(async () => {
  touched.mockReset();
  const stores = { bus: { publish: () => outside('the bus') } as never };
  harness = new WorkflowHarness({
    ...stores,
    eventLog: new MemoryEventLog(),
    definitions: new MemoryDefinitionStore(),
    timers: new MemoryTimerStore(),
  });
  await registerWorkflow(harness, 'effects', {
    nodes: [{ ...at, id: 'e', typeId: 'core.conformance.side-effect', name: 'e', config: {} }],
  });
  await registerWorkflow(harness, 'model', modelNode('core.ai.callPrompt', { prompt: 'p' }));
  await registerWorkflow(harness, 'decides', loopWith({ prompt: 'p' }));
  await registerWorkflow(harness, 'hands-off', loopWith(HANDS_OFF));
  errors = jest.fn();
  ports = {
    ...harness.ports(),
    logger: { ...silentLogger, error: errors },
    planner: { decide: () => outside('the planner') },
    modelNodes: { answer: () => outside('the model') },
    sideEffects: { perform: () => outside('the side effect') },
    childRuns: { startWorkflow: () => outside('a child'), cancelRun: () => outside('the end of a child') },
    artifacts: { put: () => outside('the artifact store') },
  };
  replay = await replayed('effects');
});

const HANDS_OFF: WorkflowDefinition['nodes'][number]['config'] = {
  mockDecisions: [{ kind: 'next-worker', nextWorkerIds: ['worker'] }],
};

async function replayed(workflowId: string): Promise<WorkflowRun> {
  const source = await harness.record(workflowId);
  const key = await replayOf(harness, source, { count: 1, runId: `replay-of-${source.runId}` });
  const run = workflowRunOf(await harness.header(key));
  if (!run) throw new TypeError('A replay that is complete goes on.');
  return run;
}

describe('the guard of effects', () => {
  it.each(EFFECTS.map((effect) => [effect.kind, effect] as const))(
    'denies a replay to %s',
    async (_kind, effect) => {
      await expect(performEffect(ports, replay, { effect })).rejects.toThrow(DENIED);
      expect(touched).not.toHaveBeenCalled();
    },
  );

  it.each([
    ['a type is said to be pure', 'effects', 'perform'],
    ['a node of a model is', 'model', 'ask-model'],
    ['a supervisor is', 'decides', 'decide'],
    ['a dispatch is', 'hands-off', 'start-child'],
  ])('denies it also where %s', async (_what, workflowId, effect) => {
    const run = await replayed(workflowId);
    const sabotaged = { ...ports, classOf: () => 'pure' as const };
    await expect(advanceRun(sabotaged, run)).rejects.toThrow(DENIED);
    expect(touched).not.toHaveBeenCalled();
    expect(errors.mock.calls).toEqual([
      [{ tenantId: run.tenantId, runId: run.runId, effect }, expect.any(String)],
    ]);
  });

  it('is not needed where types are classified as they are', async () => {
    for (const workflowId of ['effects', 'model', 'decides', 'hands-off']) {
      const run = await replayed(workflowId);
      await advanceRun(ports, run);
      expect(await harness.header(run)).toMatchObject({
        status: 'failed',
        state: { error: { code: expect.stringMatching(/^(replay_source_missing|dispatch_failed)$/) } },
      });
    }
    expect([touched.mock.calls, errors.mock.calls]).toEqual([[], []]);
  });
});

describe('every seam', () => {
  const other = permitEffects({ tenantId: 'acme', runId: 'another-run', origin: undefined });
  const wrong: readonly (readonly [string, EffectPermit])[] = [
    ['without a permit', undefined as unknown as EffectPermit],
    ['with that of another run', other],
  ];
  const invocations = {
    eventLog: { header: () => outside('the log'), append: () => outside('the log') },
    bus: { listen: () => outside('the bus') },
    invocations: new MemoryInvocationStore(),
    clock: { now: () => new Date(0) },
    logger: silentLogger,
    races: noRacePoints,
    stopping: new AbortController().signal,
    newOwner: () => 'owner',
  };
  const access = {
    model: { ask: () => outside('the model') },
    windows: { planWindow: () => outside('the assembler') },
    artifacts: { get: () => outside('the artifact store'), put: () => outside('the artifact store') },
    timeoutMs: 1,
  } as unknown as ConstructorParameters<typeof ModelPlanner>[1];
  const mocks = { program: () => outside('the mock'), take: () => outside('the mock') };

  const seams: Readonly<Record<string, (run: WorkflowRun, permit: EffectPermit) => Promise<unknown>>> = {
    'of the planner': async (run, permit) => {
      const turn = { nodeId: 's', iteration: 1, agent, config: { prompt: 'p' }, inputs: {} };
      return new ModelPlanner(invocations, access).decide({ ...turn, run, permit });
    },
    'of nodes that a model answers': async (run, permit) => {
      const config: JsonObject = { prompt: 'p' };
      const call = { nodeId: 'n', typeId: 'core.ai.callPrompt', attempt: 0, config, inputs: {} };
      return new ModelNodes(invocations, { access, mocks }).answer({ ...call, run, permit });
    },
    'of the provider mock': async (run, permit) => {
      const config: JsonObject = { prompt: 'p', provider: 'mock' };
      const call = { nodeId: 'n', typeId: 'core.ai.callPrompt', attempt: 0, config, inputs: {} };
      return new ModelNodes(invocations, { mocks }).answer({ ...call, run, permit });
    },
    'of side effects': async (run, permit) => {
      const store = { ...new MemorySideEffectStore(), perform: () => outside('the side effect') };
      const effects = new SideEffects(invocations, store as never);
      return effects.perform({
        nodeId: 'e',
        typeId: 'core.conformance.side-effect',
        attempt: 0,
        run,
        permit,
      });
    },
    'of invocations': async (run, permit) =>
      askOnce(invocations, {
        ...{ run, permit, nodeId: 'n', ordinal: 0, providerKey: 'p:m', name: { provider: 'p', model: 'm' } },
        request: () => outside('the request'),
        ask: () => outside('the model'),
      }),
    'of the start of children': async (run, permit) =>
      startChild(ports, run, {
        kind: 'start-child',
        nodeId: 'd',
        workerId: 'w',
        childRunId: 'c',
        inputs: {},
        permit,
      }),
    'of the look at children': async (run, permit) => lookAtChild(ports, run, { childRunId: 'c', permit }),
    'of the end of children': async (run, permit) =>
      cancelChildren(ports, run, { childRunIds: ['c'], permit }),
  };

  it.each(
    Object.keys(seams).flatMap((seam) => wrong.map(([which, permit]) => [seam, which, permit] as const)),
  )('%s is closed %s', async (seam, _which, permit) => {
    const live: RunKey & WorkflowRun = { ...replay, runId: 'live', origin: undefined };
    await expect(seams[seam]?.(replay, permit)).rejects.toThrow(DENIED);
    await expect(seams[seam]?.(live, permit)).rejects.toThrow(DENIED);
    expect(touched).not.toHaveBeenCalled();
  });

  it('of jobs for parents is closed to replays', async () => {
    await expect(tellParent(ports, replay, 'parent')).rejects.toThrow(DENIED);
    expect(touched).not.toHaveBeenCalled();
  });
});
