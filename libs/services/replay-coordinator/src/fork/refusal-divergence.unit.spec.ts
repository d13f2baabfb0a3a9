import {
  replayDivergedAtRefusalSchema,
  type AskMock,
  type EnvelopeKind,
  type JsonObject,
  type MockKind,
  type WorkflowDefinition,
  type WorkflowRunState,
} from '@palimpsest/contracts';
import { advance, foldWorkflowRun, runStatusOf, startRun, type EffectOutcome } from '@palimpsest/workflow';
import { PAGE_READ, PAGE_WRITTEN } from '../race-points.js';
import { CoordinatorHarness, FORK, killedAt } from '../testing/coordinator-harness.js';
import { expectRowOfLog } from '../testing/expect-row-of-log.js';
import { SOURCE, TENANT } from '../testing/source-run.js';

const digest = '0'.repeat(64);
const key = { tenantId: TENANT, runId: SOURCE };
const at = new Date('2026-01-01T00:00:00.000Z');

function definitionWith(provider: string, typeId = 'core.ai.structuredOutput'): WorkflowDefinition {
  const nodes = ['first', 'ask', 'last'].map((id) => ({
    id,
    typeId: id === 'ask' ? typeId : 'core.noop',
    name: id,
    position: { x: 0, y: 0 },
    config:
      id === 'ask'
        ? { provider, outputSchema: { type: 'object' }, messages: [{ role: 'user', content: 'Is it?' }] }
        : {},
    inputs: {},
  }));
  const edges = [
    { id: 'e1', sourceNodeId: 'first', targetNodeId: 'ask' },
    { id: 'e2', sourceNodeId: 'ask', targetNodeId: 'last' },
  ];
  const named = { id: 'asking', name: 'Asking', version: '1' };
  return { ...named, nodes, edges, triggers: [], variables: [], metadata: {}, settings: {} };
}

let harness: CoordinatorHarness;
let asked: AskMock[];
let definition: WorkflowDefinition;

beforeEach(() => {
  harness = new CoordinatorHarness();
  asked = [];
  definition = definitionWith('mock');
});
afterEach(() => expectRowOfLog(harness));
afterEach(() => harness.bus.close());

/** The mock's next answers, in order; the same call again gets the same. */
function program(...kinds: readonly MockKind['kind'][]): void {
  const given = new Map<string, MockKind['kind']>();
  harness.mocks = {
    readWorkflow: (query) =>
      Promise.resolve('digest' in query && query.digest === digest ? { definition, digest } : undefined),
    askMock: (query) => {
      asked.push(query);
      const call = `${query.runId}/${query.nodeId}`;
      const kind = given.get(call) ?? kinds[given.size] ?? 'none';
      given.set(call, kind);
      return Promise.resolve(kind);
    },
  };
}

const CODES = { refusal: 'envelope_refusal', other: 'envelope_invalid' } as const;

/** Writes what run log and orchestrator would, with what the model came to. */
async function execute(kind: EnvelopeKind | 'other'): Promise<void> {
  const bounds = { maxNodeExecutions: 100, maxRunDurationMs: 3_600_000 };
  const names = { workflowId: definition.id, workflowDigest: digest };
  const events = startRun({ ...key, ...names, inputs: {}, defaults: {}, bounds });
  let state = events
    .map((event, sequence) => ({ ...event, sequence, timestamp: at.toISOString() }))
    .reduce<WorkflowRunState | undefined>(foldWorkflowRun, undefined);
  if (!state) throw new TypeError('a run starts');
  const started = { status: runStatusOf(state), state: state as unknown as JsonObject };
  await harness.eventLog.append({
    ...key,
    expectedHead: 'no-run',
    events,
    at,
    workflowId: definition.id,
    header: started,
  });
  const place = { nodeId: 'ask', attempt: 0 } as const;
  const outcome: EffectOutcome =
    kind === 'valid'
      ? { kind: 'model-answered', ...place, outputs: { valid: true } }
      : { kind: 'model-failed', ...place, error: { code: CODES[kind], message: 'no answer' } };
  for (const given of [undefined, outcome]) {
    const head = (await harness.header(SOURCE))?.head ?? -1;
    const context = { childRunIdOf: () => 'none', redact: <T>(value: T) => value };
    const step = advance({ runId: SOURCE, definition, state, head, now: at, outcome: given, ...context });
    state = step.state;
    const header = { status: step.status, state: state as unknown as JsonObject };
    await harness.eventLog.append({ ...key, expectedHead: head, events: step.events, at, header });
  }
}

const told = async (run: string) =>
  (await harness.events(run)).map(({ type, nodeId, payload }) => ({ type, nodeId, payload }));
const types = async () => (await harness.events()).map(({ type }) => type);

async function expectRepeated(): Promise<void> {
  expect(await told(FORK)).toEqual(await told(SOURCE));
  const source = await harness.header(SOURCE);
  expect(await harness.header()).toMatchObject({ status: source?.status, head: source?.head });
}

async function expectDiverged(original: EnvelopeKind, replay: EnvelopeKind): Promise<void> {
  const source = await harness.events(SOURCE);
  const end = source.find(
    ({ type, nodeId }) => nodeId === 'ask' && (type === 'node.completed' || type === 'node.failed'),
  );
  const fork = await harness.events();
  const atSequence = end?.sequence ?? -1;
  expect((await told(FORK)).slice(0, atSequence)).toEqual((await told(SOURCE)).slice(0, atSequence));
  expect(fork.slice(atSequence)).toMatchObject([
    {
      type: 'replay.divergedAtRefusal',
      nodeId: 'ask',
      payload: {
        sourceRunId: SOURCE,
        atSequence,
        originalEnvelopeKind: original,
        replayEnvelopeKind: replay,
        originalEventId: end?.eventId,
        nodeId: 'ask',
      },
    },
    {
      type: 'run.failed',
      payload: { error: { code: 'replay_diverged_at_refusal' }, failedNodeId: 'ask' },
    },
  ]);
  expect(fork).toHaveLength(atSequence + 2);
  expect(replayDivergedAtRefusalSchema.safeParse(fork.at(-2)?.payload).success).toBe(true);
  const header = await harness.header();
  expect(header).toMatchObject({ status: 'failed', head: atSequence + 1 });
  expect(header?.state).toMatchObject({
    ended: 'failed',
    error: { code: 'replay_diverged_at_refusal' },
    replayTarget: atSequence - 1,
  });
  expect(await harness.openJobs()).toEqual([]);
}

describe('a replay of a node that the mock answered', () => {
  it.each([
    ['valid', 'refusal'],
    ['refusal', 'valid'],
  ] as const)('with what was %s meets a %s, and ends there', async (original, replay) => {
    await execute(original);
    program(replay);
    expect(await harness.coordinator().fork({ mode: 'replay' })).toMatchObject({ status: 'pending' });
    await expectDiverged(original, replay);
    expect(asked).toEqual([{ tenantId: TENANT, runId: FORK, nodeId: 'ask', digest }]);
    await harness.coordinator().fork({ mode: 'replay' });
    await expectDiverged(original, replay);
    expect(await harness.coordinator().verify(FORK)).toMatchObject({ ok: true });
  });

  it.each([
    ['valid', 'valid'],
    ['refusal', 'refusal'],
    ['valid', 'none'],
    ['refusal', 'none'],
  ] as const)('with what was %s meets %s, and repeats all', async (original, replay) => {
    await execute(original);
    program(replay);
    await harness.coordinator().fork({ mode: 'replay' });
    await expectRepeated();
  });

  it.each([PAGE_READ, PAGE_WRITTEN])('and dies at %s, goes on to the same end', async (point) => {
    await execute('valid');
    program('refusal', 'valid');
    await expect(harness.coordinator(killedAt(point)).fork({ mode: 'replay' })).rejects.toThrow();
    await harness.coordinator().works.resume(new Date(harness.now.getTime() + 1));
    await expectDiverged('valid', 'refusal');
  });

  it('may be that very event, or come after it', async () => {
    await execute('valid');
    program('refusal');
    const end = (await harness.events(SOURCE)).find(
      ({ type, nodeId }) => type === 'node.completed' && nodeId === 'ask',
    );
    const fromSeq = end?.sequence ?? -1;
    await harness.coordinator().fork({ mode: 'replay', fromSeq, forkRunId: 'at-it' });
    expect((await harness.events('at-it')).map(({ type }) => type).slice(-2)).toEqual([
      'replay.divergedAtRefusal',
      'run.failed',
    ]);
    await harness.coordinator().fork({ mode: 'replay', fromSeq: fromSeq + 1 });
    await expectRepeated();
    expect(asked).toHaveLength(1);
  });
});

describe('a replay', () => {
  it.each([
    ['of another provider', 'openai', undefined],
    ['of another kind of node', 'mock', 'core.ai.callPrompt'],
  ])('of a call %s asks nobody', async (_which, provider, typeId) => {
    definition = definitionWith(provider, typeId);
    await execute('valid');
    program('refusal');
    await harness.coordinator().fork({ mode: 'replay' });
    await expectRepeated();
    expect(asked).toEqual([]);
  });

  it('of a failure that is no refusal asks nobody', async () => {
    await execute('other');
    program('valid');
    await harness.coordinator().fork({ mode: 'replay' });
    await expectRepeated();
    expect(asked).toEqual([]);
  });

  it('on a host without a mock repeats all', async () => {
    await execute('valid');
    await harness.coordinator().fork({ mode: 'replay' });
    await expectRepeated();
  });

  it('as a branch asks nobody: it calls anew', async () => {
    await execute('valid');
    program('refusal');
    await harness.coordinator().fork({ mode: 'branch', fromSeq: 0 });
    expect([await types(), asked]).toEqual([['run.started'], []]);
  });
});
