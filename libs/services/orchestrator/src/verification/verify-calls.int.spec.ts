import type { INestApplicationContext } from '@nestjs/common';
import { OrchestratorClient } from '@palimpsest/adapter-clients';
import type { WireRequest } from '@palimpsest/adapter-model/testing';
import {
  isTerminalEventType,
  NODE_COMPLETED,
  ORCHESTRATOR_DECIDED,
  RUN_OVERLAID,
  type ForkOrigin,
  type JsonObject,
  type RecordedEvent,
  type WorkflowRunState,
} from '@palimpsest/contracts';
import type { Logger } from '@palimpsest/kernel';
import { waitUntil } from '@palimpsest/kernel/testing';
import { foldWorkflowRun, runStatusOf } from '@palimpsest/workflow';
import type { OrchestratorModuleOptions } from '../orchestrator.module.js';
import type { RunKey } from '../orchestrator-ports.js';
import { ANSWER_KEPT } from '../race-points.js';
import { PostgresMockProgramStore } from '../store/postgres-mock-program-store.js';
import { decide, openModelHost, turnsIn, type ModelHost } from '../testing/model-host.js';
import { killedAt } from '../testing/race-points.js';
import { loopWith, modelNode, registerWorkflow } from '../testing/register-workflow.js';
import { TEST_HOSTS, type TestHost } from '../testing/test-hosts.js';
import type { WorkflowHarness } from '../testing/workflow-harness.js';

/** In the log of a call whose kept answer came of another request. */
const OTHER_REQUEST = 'would ask for something else now';
const SAY = { prompt: 'Say it.', temperature: 1, maxOutputTokens: 9 };
/** Two nodes that ask the same. */
const TWICE = {
  nodes: ['n', 'o'].flatMap((id) =>
    (modelNode('core.ai.callPrompt', SAY).nodes ?? []).map((node) => ({ ...node, id, name: id })),
  ),
};

describe.each(TEST_HOSTS)('the calls of a run %s', (_how, open) => {
  let host: TestHost;
  let harness: WorkflowHarness;
  let provider: ModelHost;
  let client: OrchestratorClient;
  let running: INestApplicationContext | undefined;

  beforeAll(async () => {
    host = await open();
    harness = host.harness();
    client = new OrchestratorClient(host.bus);
    await (await harness.orchestrator()).close();
    const led = { prompt: 'Run it twice.', workers: ['conformance-noop'], temperature: 0 };
    await registerWorkflow(harness, 'led', loopWith(led));
    await registerWorkflow(harness, 'twice', TWICE);
  });
  beforeEach(async () => {
    provider = await openModelHost(harness);
    provider.respond = threeTurns;
  });
  afterEach(async () => {
    await running?.close();
    running = undefined;
    await provider.close();
  });
  afterAll(() => host.close());

  function threeTurns(request: WireRequest) {
    if (turnsIn(request) >= 2) return decide({ kind: 'terminate', reason: 'goal-reached' });
    return decide({ kind: 'next-worker', nextWorkerIds: ['conformance-noop'] });
  }

  async function startProcess(changes: Partial<OrchestratorModuleOptions> = {}): Promise<void> {
    running = await harness.orchestrator({ model: provider.access, ...changes });
  }

  async function untilEnded(key: RunKey): Promise<readonly RecordedEvent[]> {
    await waitUntil(
      async () => {
        harness.later(20);
        return isTerminalEventType((await harness.events(key)).at(-1)?.type ?? '');
      },
      { what: `${key.runId} has ended` },
    );
    return harness.events(key);
  }

  async function ended(workflowId: string, configurable?: JsonObject): Promise<RunKey> {
    if (!running) await startProcess();
    const key = await harness.start(workflowId, configurable ? { configurable } : {});
    await untilEnded(key);
    return key;
  }

  const keysOf = async ({ runId }: RunKey) => {
    const query = `SELECT cache_key AS key FROM orchestrator.model_invocations
      WHERE run_id = $1 ORDER BY node_id, ordinal`;
    return (await host.database.pool.query<{ key: string | null }>(query, [runId])).rows.map(
      ({ key }) => key,
    );
  };
  const changeKey = ({ runId }: RunKey, ordinal: number) =>
    host.database.pool.query(
      'UPDATE orchestrator.model_invocations SET cache_key = $1 WHERE run_id = $2 AND ordinal = $3',
      ['f'.repeat(64), runId, ordinal],
    );
  const sequencesOf = async (key: RunKey, wanted: string) =>
    (await harness.events(key)).filter(({ type }) => type === wanted).map(({ sequence }) => sequence);

  /** As the replay coordinator makes one. */
  async function fork(source: RunKey, origin: Omit<ForkOrigin, 'runId'>): Promise<RunKey> {
    const below = (await harness.events(source)).slice(0, origin.fromSequence);
    const state = below.reduce<WorkflowRunState | undefined>(foldWorkflowRun, undefined);
    const key = { tenantId: source.tenantId, runId: `${source.runId}-${origin.mode}-${origin.fromSequence}` };
    await harness.stores.eventLog.fork({
      ...key,
      origin: { ...origin, runId: source.runId },
      at: harness.now,
      status: state ? runStatusOf(state) : 'pending',
      state: state as unknown as JsonObject,
    });
    return key;
  }

  it('are what their answers came of: turns', async () => {
    const key = await ended('led');
    expect(await client.verifyCalls(key)).toEqual({ checked: 3, unkept: 0 });
    const keys = await keysOf(key);
    expect(keys.every((each) => /^[0-9a-f]{64}$/.test(each ?? ''))).toBe(true);
    expect(new Set(keys).size).toBe(3);
  });

  it('are what their answers came of: nodes, and two that ask the same have an answer each', async () => {
    provider.respond = ({ index }) => ({ kind: 'text', text: `answer ${index}` });
    const key = await ended('twice');
    expect(await client.verifyCalls(key)).toEqual({ checked: 2, unkept: 0 });
    const [one, other] = await keysOf(key);
    expect(one).toBe(other);
    const completed = (await harness.events(key)).filter(({ type }) => type === NODE_COMPLETED);
    expect(completed.map(({ payload }) => payload['outputs'])).toEqual([
      { text: 'answer 0' },
      { text: 'answer 1' },
    ]);
  });

  it('are what their answers came of: of the provider mock, and of a model that the run wishes for', async () => {
    const mockPrograms = new PostgresMockProgramStore(host.database.pool);
    const answer = { content: 'It.', stopReason: 'end_turn' };
    await mockPrograms.program({ tenantId: 'acme', nodeId: 'n', program: [answer] });
    await registerWorkflow(harness, 'mocked', modelNode('core.ai.callPrompt', { ...SAY, provider: 'mock' }));
    await startProcess({ mockPrograms });
    const mocked = await harness.start('mocked');
    const wishing = await harness.start('led', { configurable: { model: 'm-2', temperature: 2 } });
    await untilEnded(mocked);
    await untilEnded(wishing);
    expect(await client.verifyCalls(mocked)).toEqual({ checked: 1, unkept: 0 });
    expect(await client.verifyCalls(wishing)).toEqual({ checked: 3, unkept: 0 });
  });

  it('are what their answers came of, also where a provider was away at first', async () => {
    const settings = { maxRetries: 2 };
    await registerWorkflow(harness, 'patient', { ...loopWith({ prompt: 'p' }), settings });
    await registerWorkflow(harness, 'patient-node', { ...modelNode('core.ai.callPrompt', SAY), settings });
    provider.respond = ({ index }) =>
      index < 2 ? { kind: 'error', status: 503 } : decide({ kind: 'terminate' });
    expect(await client.verifyCalls(await ended('patient'))).toEqual({ checked: 1, unkept: 0 });
    provider.respond = ({ index }) =>
      index < 4 ? { kind: 'error', status: 503 } : { kind: 'text', text: 'It.' };
    expect(await client.verifyCalls(await ended('patient-node'))).toEqual({ checked: 1, unkept: 0 });
  });

  it('are none where scripts decide', async () => {
    const key = await ended('conformance-dispatch-loop');
    expect(await client.verifyCalls(key)).toEqual({ checked: 0, unkept: 0 });
  });

  it('differ where a key does, and the first is named', async () => {
    const key = await ended('led');
    await changeKey(key, 3);
    await changeKey(key, 2);
    const [, second] = await sequencesOf(key, ORCHESTRATOR_DECIDED);
    expect(await client.verifyCalls(key)).toEqual({
      checked: 3,
      unkept: 0,
      firstDifference: { sequence: second, nodeId: 's', iteration: 2 },
    });
  });

  it('are unkept when their time is over, and where what they were fed is erased', async () => {
    const key = await ended('led');
    await harness.invocations.purge(new Date(harness.now.getTime() + 1), 1000);
    expect(await client.verifyCalls(key)).toEqual({ checked: 0, unkept: 3 });
    const erased = await ended('led');
    const { entries } = await provider.windows.readWindow({ ...erased, iteration: 2 });
    await provider.artifacts.erase('acme', entries[0]?.artifactId ?? '');
    expect(await client.verifyCalls(erased)).toEqual({ checked: 1, unkept: 2 });
  });

  it('are answered by what was kept although something else would be asked now, and that is said', async () => {
    const warnings: { readonly fields: object; readonly message: string }[] = [];
    const killed = killedAt(ANSWER_KEPT);
    const races = {
      reach: async (point: string) => {
        if (point === ANSWER_KEPT && killed.reached() === 0) await changeKey(key, 1);
        await killed.reach(point);
      },
    };
    const warn: Logger['warn'] = (fields, message) => void warnings.push({ fields, message });
    const silent = () => undefined;
    await startProcess({ races, logger: { debug: silent, info: silent, error: silent, warn } });
    const key = await harness.record('led');
    await harness.job(key);
    await untilEnded(key);
    expect(provider.server.requests).toHaveLength(3);
    const told = warnings.filter(({ message }) => message.includes(OTHER_REQUEST));
    const invocationId = provider.server.requests[0]?.idempotencyKey;
    expect(told.map(({ fields }) => fields)).toEqual([{ ...key, nodeId: 's', invocationId }]);
    expect(await client.verifyCalls(key)).toMatchObject({ checked: 3, firstDifference: { iteration: 1 } });
  });

  it('are the same ones again after a kill, and nothing is said', async () => {
    const warn = jest.fn();
    const silent = () => undefined;
    const logger = {
      debug: silent,
      info: silent,
      error: silent,
      warn: (_: object, message: string) => void warn(message),
    };
    await startProcess({ races: killedAt(ANSWER_KEPT), logger });
    const key = await harness.start('led');
    await untilEnded(key);
    expect(provider.server.requests).toHaveLength(3);
    expect(warn.mock.calls.filter(([message]) => String(message).includes(OTHER_REQUEST))).toEqual([]);
    expect(await client.verifyCalls(key)).toEqual({ checked: 3, unkept: 0 });
  });

  it('of a fork are those of its source where it shares them, and its own after that', async () => {
    const source = await ended('led');
    const [, second = 0] = await sequencesOf(source, ORCHESTRATOR_DECIDED);
    const branch = await fork(source, { fromSequence: second, mode: 'branch' });
    expect(await client.verifyCalls(branch)).toEqual({ checked: 1, unkept: 0 });
    await harness.note(branch, { type: RUN_OVERLAID, payload: { configurable: { model: 'm-2' } } });
    await harness.job(branch);
    await untilEnded(branch);
    expect(provider.server.requests.map(({ model }) => model)).toEqual(['m-1', 'm-1', 'm-1', 'm-2', 'm-2']);
    expect(await client.verifyCalls(branch)).toEqual({ checked: 3, unkept: 0 });
    await changeKey(source, 1);
    const [first] = await sequencesOf(branch, ORCHESTRATOR_DECIDED);
    const firstDifference = { sequence: first, nodeId: 's', iteration: 1 };
    expect(await client.verifyCalls(branch)).toEqual({ checked: 3, unkept: 0, firstDifference });
  });

  it('of a replay are all those of its source', async () => {
    const source = await ended('led');
    const events = await harness.events(source);
    const replay = await fork(source, { fromSequence: 1, mode: 'replay' });
    const { head = 0, state = {}, status = 'completed' } = (await harness.header(source)) ?? {};
    await harness.stores.eventLog.reEmit({
      ...replay,
      fromRunId: source.runId,
      fromSequence: 1,
      toSequence: head,
      at: harness.now,
      header: { status, state },
    });
    expect(await harness.events(replay)).toHaveLength(events.length);
    expect(await client.verifyCalls(replay)).toEqual({ checked: 3, unkept: 0 });
    await changeKey(source, 2);
    expect(await client.verifyCalls(replay)).toMatchObject({ firstDifference: { iteration: 2 } });
  });
});
