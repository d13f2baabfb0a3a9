import {
  ASSEMBLER_SUBJECTS,
  ORCHESTRATOR_SUBJECTS,
  PIN_SUBJECTS,
  REPLAY_SUBJECTS,
  RUN_LOG_SUBJECTS,
  WORKFLOW_RUN_SUBJECTS,
  type JsonValue,
  type WindowPlan,
  type WorkflowDefinition,
} from '@palimpsest/contracts';
import {
  RunNotActiveError,
  ServiceUnavailableError,
  type MessageBus,
  type RequestOptions,
} from '@palimpsest/kernel';
import { AssemblerClient } from './assembler-client.js';
import { BusEventLog } from './bus-event-log.js';
import { OrchestratorClient } from './orchestrator-client.js';
import { ReplayClient } from './replay-client.js';
import { RunLogClient } from './run-log-client.js';

type Asked = { readonly subject: string; readonly body: JsonValue; readonly options?: RequestOptions };

let asked: Asked[];
let connected: boolean;
let answer: () => JsonValue;

/** A bus on which somebody answers everything alike. */
const bus = {
  request: (subject: string, body: JsonValue, options?: RequestOptions) => {
    asked.push({ subject, body, ...(options && { options }) });
    return Promise.resolve().then(() => answer());
  },
  isConnected: () => connected,
} as Partial<MessageBus> as MessageBus;

beforeEach(() => {
  asked = [];
  connected = true;
});

const query = { tenantId: 'acme', runId: 'run-1' };
const artifactId = `art_${'a'.repeat(32)}`;
const header = {
  ...query,
  workflowId: 'w',
  status: 'running',
  head: 0,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  state: {},
};
const verification = {
  ok: true,
  windowsChecked: 1,
  artifactsChecked: 1,
  summarizerCalls: 0,
  windowsDigest: 'd',
  comparedWith: { runId: 'run-0', sharedEvents: 2, events: 3, windows: 1, summaries: 0 },
};
const plan: WindowPlan = {
  eventId: 'evt-run-1-4',
  window: {
    iteration: 1,
    asOfSequence: 3,
    lastMessageSequence: 3,
    tokenCounter: 'chars',
    tokenCount: 3,
    unboundedTokenCount: 3,
    instructionTokens: 0,
    summarySequences: [],
    tailFromSequence: 1,
    islands: [],
    pending: [],
    cuts: [],
    elided: [],
    messageCount: 1,
    totals: { fedTokens: 3, unboundedTokens: 3, summaries: 0 },
  },
  entries: [],
  instructions: [],
  summarizedRanges: [],
};
const usage = {
  iterations: [],
  total: { fedTokens: 0, unboundedTokens: 0, notResentTokens: 0, summaries: 0 },
};
const counts = { o200k_base: 1, cl100k_base: 1, chars: 1 };
const message = { role: 'user' as const, artifactId, toolCallIds: [], counts, repaired: false };
const appended = { firstSequence: 1, lastSequence: 1, lastMessageSequence: 1, eventIds: ['evt-run-1-1'] };
const context = {
  transcriptTokenBudget: 1,
  tokenCounter: 'chars' as const,
  keepLastTurns: 1,
  strategy: 'none' as const,
};
const forked = { runId: 'fork-1', sourceRunId: 'run-1', fromSeq: 0, mode: 'replay', status: 'pending' };

const compared = {
  runId: 'run-1',
  workflowId: 'w',
  status: 'completed',
  events: 1,
  windows: 0,
  tokens: { fedTokens: 0, unboundedTokens: 0, notResentTokens: 0 },
  summaries: 0,
};
const diff = {
  identical: true,
  relation: { kind: 'unrelated', sharedEvents: 0 },
  run: compared,
  other: { ...compared, runId: 'run-2' },
  windows: [],
  fedTokensSaved: null,
};

const workflowDigest = 'd'.repeat(64);
const start = {
  ...query,
  workflowId: 'w',
  workflowDigest,
  inputs: {},
  defaults: {},
  bounds: { maxNodeExecutions: 1, maxRunDurationMs: 1 },
};
const pending = { runId: 'run-1', status: 'pending' };
const pin = { pinId: 'pin_a', artifactId, counts, repaired: false };
const pinned = { pinId: 'pin_a', eventId: 'evt-run-1-1', sequence: 1, pinnedTokens: 1 };

const runLog = new RunLogClient(bus);
const assembler = new AssemblerClient(bus);
const replay = new ReplayClient(bus);
const orchestrator = new OrchestratorClient(bus);

const calls: [string, () => Promise<unknown>, string, object, number][] = [
  [
    'create a run',
    () => runLog.createRun({ ...query, workflowId: 'w', context }),
    RUN_LOG_SUBJECTS.createRun,
    header,
    1500,
  ],
  [
    'append messages',
    () => runLog.appendMessages({ ...query, messages: [message] }),
    RUN_LOG_SUBJECTS.appendMessages,
    appended,
    5000,
  ],
  ['finish a run', () => runLog.finishRun(query), RUN_LOG_SUBJECTS.finishRun, header, 1500],
  ['start a workflow', () => runLog.startWorkflow(start), WORKFLOW_RUN_SUBJECTS.start, pending, 1500],
  [
    'resolve an interrupt',
    () => runLog.resolveInterrupt({ ...query, nodeId: 'n', resumeValue: 1, decidedBy: 'k' }),
    WORKFLOW_RUN_SUBJECTS.resolveInterrupt,
    pending,
    1500,
  ],
  ['cancel a run', () => runLog.cancelRun(query), WORKFLOW_RUN_SUBJECTS.cancel, pending, 1500],
  ['add a pin', () => runLog.addPin({ ...query, ...pin }), PIN_SUBJECTS.add, pinned, 1500],
  ['remove a pin', () => runLog.removePin({ ...query, pinId: 'pin_a' }), PIN_SUBJECTS.remove, pinned, 1500],
  [
    'plan a window',
    () => assembler.planWindow({ ...query, asOfSequence: 3 }),
    ASSEMBLER_SUBJECTS.planWindow,
    plan,
    30_000,
  ],
  [
    'read a window',
    () => assembler.readWindow({ ...query, iteration: 1 }),
    ASSEMBLER_SUBJECTS.readWindow,
    plan,
    5000,
  ],
  [
    'explain a window',
    () => assembler.explainWindow({ ...query, iteration: 1 }),
    ASSEMBLER_SUBJECTS.explainWindow,
    { fates: [] },
    5000,
  ],
  ['add up usage', () => assembler.usage(query), ASSEMBLER_SUBJECTS.usage, usage, 5000],
  ['verify a run', () => assembler.verify(query), ASSEMBLER_SUBJECTS.verify, verification, 120_000],
  [
    'fork a run',
    () => replay.fork({ ...query, forkRunId: 'fork-1', mode: 'replay' }),
    REPLAY_SUBJECTS.fork,
    forked,
    30_000,
  ],
  ['verify a fork', () => replay.verify(query), REPLAY_SUBJECTS.verify, verification, 240_000],
  ['compare runs', () => replay.diff({ ...query, otherRunId: 'run-2' }), REPLAY_SUBJECTS.diff, diff, 120_000],
];

describe.each(calls)('to %s', (...[, call, subject, recorded, timeoutMs]) => {
  it('asks one subject, with time enough, and gives the answer', async () => {
    answer = () => recorded as JsonValue;
    expect(await call()).toEqual(recorded);
    expect(asked).toEqual([
      { subject, body: expect.objectContaining(query) as JsonValue, options: { timeoutMs } },
    ]);
  });

  it('refuses an answer of a shape it does not know, without repeating it', async () => {
    answer = () => ({ ...recorded, surprise: 'secret' });
    const refusal = await call().catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'internal_error', details: { subject } });
    expect(JSON.stringify(refusal)).not.toContain('secret');
  });

  it('passes refusals on', async () => {
    answer = () => {
      throw new RunNotActiveError('run-1', 'completed');
    };
    await expect(call()).rejects.toMatchObject({ code: 'run_not_active', retryable: false });
  });

  it('does not wait for a bus that is away', async () => {
    connected = false;
    await expect(call()).rejects.toBeInstanceOf(ServiceUnavailableError);
    expect(asked).toEqual([]);
  });
});

describe('a fork asked for again', () => {
  it('is the one that was allowed before, or none', async () => {
    const command = { ...query, forkRunId: 'fork-1', mode: 'replay' as const };
    answer = () => ({ forked });
    expect(await replay.forkAgain(command)).toEqual(forked);
    answer = () => ({});
    expect(await replay.forkAgain(command)).toBeUndefined();
    const question = { subject: REPLAY_SUBJECTS.forkAgain, body: command, options: { timeoutMs: 30_000 } };
    expect(asked).toEqual([question, question]);
  });
});

describe('workflow definitions', () => {
  const definition: WorkflowDefinition = {
    id: 'w',
    name: 'W',
    version: '1',
    nodes: [{ id: 'n', typeId: 'core.noop', name: 'N', position: { x: 0, y: 0 }, config: {}, inputs: {} }],
    edges: [],
    triggers: [],
    variables: [],
    metadata: {},
    settings: {},
  };
  const workflow = { definition, digest: workflowDigest };
  const own = { tenantId: 'acme' };

  it.each([
    ['by id', { ...own, workflowId: 'w' }],
    ['by digest', { digest: workflowDigest }],
  ])('are read %s', async (_how, asking) => {
    answer = () => ({ workflow }) as unknown as JsonValue;
    expect(await orchestrator.readWorkflow(asking)).toEqual(workflow);
    answer = () => ({ workflow: null });
    expect(await orchestrator.readWorkflow(asking)).toBeUndefined();
    const question = { subject: ORCHESTRATOR_SUBJECTS.readWorkflow, body: asking };
    expect(asked).toMatchObject([question, question]);
  });

  it('are registered, listed and forgotten', async () => {
    answer = () => ({ workflow }) as unknown as JsonValue;
    expect(await orchestrator.registerWorkflow({ ...own, definition })).toEqual(workflow);
    answer = () => ({ workflowIds: ['w'] });
    expect(await orchestrator.fixtures()).toEqual(['w']);
    expect(await orchestrator.forgetRegistered('acme')).toEqual(['w']);
    expect(asked.map(({ subject, body }) => [subject, body])).toEqual([
      [ORCHESTRATOR_SUBJECTS.registerWorkflow, { ...own, definition }],
      [ORCHESTRATOR_SUBJECTS.fixtures, {}],
      [ORCHESTRATOR_SUBJECTS.forgetRegistered, own],
    ]);
  });

  it('are an error where what was registered is not there', async () => {
    answer = () => ({ workflow: null });
    await expect(orchestrator.registerWorkflow({ ...own, definition })).rejects.toMatchObject({
      code: 'internal_error',
    });
  });
});

describe('the provider mock', () => {
  it('is programmed, and asked for a replay', async () => {
    const program = [{ content: 'x', stopReason: 'end_turn' }];
    const programmed = { tenantId: 'acme', nodeId: 'n', program };
    const question = { ...query, nodeId: 'n', digest: workflowDigest };
    answer = () => ({ count: 1 });
    expect(await orchestrator.programMock(programmed)).toBe(1);
    answer = () => ({ kind: 'refusal' });
    expect(await orchestrator.askMock(question)).toBe('refusal');
    expect(asked.map(({ subject, body }) => [subject, body])).toEqual([
      [ORCHESTRATOR_SUBJECTS.programMock, programmed],
      [ORCHESTRATOR_SUBJECTS.askMock, question],
    ]);
  });
});

describe('calls of models', () => {
  it('are verified by the orchestrator, which may take its time', async () => {
    const firstDifference = { sequence: 4, nodeId: 's', iteration: 2 };
    answer = () => ({ checked: 3, unkept: 1, firstDifference });
    expect(await orchestrator.verifyCalls(query)).toEqual({ checked: 3, unkept: 1, firstDifference });
    expect(asked).toEqual([
      { subject: ORCHESTRATOR_SUBJECTS.verifyCalls, body: query, options: { timeoutMs: 120_000 } },
    ]);
  });
});

describe('a window larger than a message', () => {
  const entry = (sequence: number) => ({
    kind: 'turn' as const,
    eventId: `evt-run-1-${sequence}`,
    sequence,
    turn: sequence,
    role: 'user' as const,
    artifactId,
    form: 'full' as const,
    tokens: 1,
    toolCallIds: [],
  });
  const instruction = { eventId: 'evt-run-1-0', sequence: 0, artifactId };
  const parts: readonly WindowPlan[] = [
    { ...plan, entries: [entry(1), entry(2)], next: 2 },
    { ...plan, entries: [entry(3)], next: 3 },
    { ...plan, instructions: [instruction] },
  ];

  it.each([
    ['planned', () => assembler.planWindow({ ...query, asOfSequence: 3 })],
    ['read', () => assembler.readWindow({ ...query, iteration: 1 })],
  ])('is put together from its parts when it is %s', async (_how, call) => {
    const left = [...parts];
    answer = () => left.shift() as JsonValue;
    expect(await call()).toEqual({
      ...plan,
      entries: [entry(1), entry(2), entry(3)],
      instructions: [instruction],
    });
    expect(asked.slice(1).map(({ subject, body }) => [subject, body])).toEqual(
      [2, 3].map((from) => [ASSEMBLER_SUBJECTS.readWindow, { ...query, iteration: 1, from }]),
    );
  });
});

describe('the log over the bus', () => {
  const log = new BusEventLog(bus);

  it('sends times as ISO 8601', async () => {
    answer = () => ({ firstSequence: 1, lastSequence: 1, repeated: false });
    const at = new Date('2026-01-01T00:00:00.000Z');
    const events = [{ type: 't', payload: {}, schemaVersion: 1 }];
    await log.append({ ...query, expectedHead: 0, events, at });
    expect(asked[0]?.body).toMatchObject({ at: '2026-01-01T00:00:00.000Z', events });
  });

  it('tells an unknown run from a header', async () => {
    answer = () => ({ header: null });
    expect(await log.header('acme', 'run-1')).toBeUndefined();
    answer = () => ({ header: { ...header, head: -1 } });
    expect(await log.header('acme', 'run-1')).toMatchObject({ head: -1 });
  });

  it('leaves payloads as they are', async () => {
    const payload = JSON.parse('{"__proto__":{"a":1},"deep":[1e300,null]}') as JsonValue;
    const event = {
      eventId: 'e',
      runId: 'run-1',
      type: 't',
      payload,
      timestamp: '2026-01-01T00:00:00.000Z',
      sequence: 0,
      schemaVersion: 1,
    };
    answer = () => ({ events: [event] });
    const page = await log.readRun({ ...query, fromSequence: 0 });
    expect(JSON.stringify(page.events[0]?.payload)).toBe(JSON.stringify(payload));
  });
});
