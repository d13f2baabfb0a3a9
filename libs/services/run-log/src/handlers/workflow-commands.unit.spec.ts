import { RunLogClient } from '@palimpsest/adapter-clients';
import { InProcessBus, MemoryEventLog, MemoryStreamStore } from '@palimpsest/adapter-memory';
import {
  CURRENT_REPLAY_FLAGS,
  type JsonObject,
  type RecordedEvent,
  type StartWorkflow,
  type WorkflowDefinition,
  type WorkflowRunState,
} from '@palimpsest/contracts';
import { SequenceConflictError, type EventLog } from '@palimpsest/kernel';
import { advance, foldWorkflowRun, runStatusOf } from '@palimpsest/workflow';
import { answerRequests } from './answer-requests.js';

const key = { tenantId: 'acme', runId: 'run-1' };
const start: StartWorkflow = {
  ...key,
  workflowId: 'w',
  workflowDigest: 'd'.repeat(64),
  inputs: { a: 1 },
  defaults: { b: 2 },
  bounds: { maxNodeExecutions: 10, maxRunDurationMs: 60_000 },
};
const accept = { ...key, nodeId: 'gate', resumeValue: { action: 'accept' }, decidedBy: 'key-1' };

const definition: WorkflowDefinition = {
  id: 'w',
  name: 'W',
  version: '1',
  nodes: [
    {
      id: 'gate',
      typeId: 'core.approvalGate',
      name: 'Gate',
      position: { x: 0, y: 0 },
      config: { title: 'Go?', actions: ['accept', 'reject'] },
      inputs: {},
    },
  ],
  edges: [],
  triggers: [],
  variables: [],
  metadata: {},
  settings: {},
};

let eventLog: MemoryEventLog;
let bus: InProcessBus;
let client: RunLogClient;
let now: Date;

beforeEach(async () => {
  now = new Date('2026-01-01T00:00:00.000Z');
  eventLog = new MemoryEventLog();
  await serve(eventLog);
});
afterEach(() => bus.close());

async function serve(log: EventLog): Promise<void> {
  await bus?.close();
  bus = new InProcessBus({ store: new MemoryStreamStore() });
  await answerRequests(bus, { eventLog: log, clock: { now: () => now } });
  client = new RunLogClient(bus);
}

const header = () => eventLog.header(key.tenantId, key.runId);

async function events(): Promise<readonly RecordedEvent[]> {
  return (await eventLog.readRun({ ...key, fromSequence: 0 })).events;
}

/** What the orchestrator appends. */
async function advanceRun(): Promise<void> {
  const { state, head = -1 } = (await header()) ?? {};
  const run = { runId: key.runId, definition, state: state as unknown as WorkflowRunState, head, now };
  const asked = { ...run, childRunIdOf: () => 'none', redact: <T>(value: T) => value };
  const { events: next, state: after, status } = advance(asked);
  if (next.length === 0) return;
  const change = { status, state: after as unknown as JsonObject };
  await eventLog.append({ ...key, expectedHead: head, events: next, at: now, header: change });
}

async function suspended(): Promise<void> {
  await client.startWorkflow(start);
  await advanceRun();
}

/** The log, but somebody else appends before the first append of a command. */
function raced(by: () => Promise<void>): EventLog {
  let isRaced = false;
  return Object.assign(Object.create(eventLog) as EventLog, {
    append: async (request: Parameters<EventLog['append']>[0]) => {
      if (!isRaced) {
        isRaced = true;
        await by();
      }
      return eventLog.append(request);
    },
    header: (tenantId: string, runId: string) => eventLog.header(tenantId, runId),
  });
}

describe('a run that the host executes, over the bus', () => {
  afterEach(async () => {
    const stands = await header();
    const state = (await events()).reduce<WorkflowRunState | undefined>(foldWorkflowRun, undefined);
    expect(stands?.state).toEqual(state);
    expect(stands?.status).toBe(state && runStatusOf(state));
  });

  it('is started, pending, with all that its state begins with', async () => {
    expect(await client.startWorkflow(start)).toEqual({ runId: 'run-1', status: 'pending' });
    expect(await header()).toMatchObject({
      workflowId: 'w',
      status: 'pending',
      head: 0,
      state: {
        ...{ kind: 'workflow', rootRunId: 'run-1', variables: { a: 1, b: 2 } },
        replayFlags: [...CURRENT_REPLAY_FLAGS],
      },
    });
    const { tenantId, runId: rootRunId, ...asked } = start;
    const host = {
      ...{ rootRunId, engineVersion: '1', transport: 'rest', owner: { tenant: tenantId } },
      replayFlags: [...CURRENT_REPLAY_FLAGS],
    };
    expect((await events())[0]?.payload).toEqual({ ...asked, ...host });
  });

  it('is started once where the command is sent again, also at once; else its id is taken', async () => {
    const command = { ...start, commandId: 'c-1' };
    const answers = await Promise.all([1, 2, 3, 4].map(() => client.startWorkflow(command)));
    await advanceRun();
    answers.push(await client.startWorkflow(command));
    expect(answers).toEqual(Array.from({ length: 5 }, () => ({ runId: 'run-1', status: 'pending' })));
    expect((await events()).filter(({ type }) => type === 'run.started')).toHaveLength(1);
    await expect(client.startWorkflow(start)).rejects.toMatchObject({ code: 'sequence_conflict' });
  });

  it('may be the child of another, and stays so', async () => {
    const command = { ...start, parentRunId: 'run-0', depth: 2, commandId: 'dispatch-run-1' };
    await client.startWorkflow(command);
    await client.startWorkflow({ ...command, inputs: { a: 7 } });
    expect(await header()).toMatchObject({
      head: 0,
      tenantId: key.tenantId,
      // a child is derived as runs are that start now, whatever its parent is
      state: {
        ...{ parentRunId: 'run-0', depth: 2, inputs: { a: 1 } },
        replayFlags: [...CURRENT_REPLAY_FLAGS],
      },
    });
    expect(await client.cancelRun({ ...key, parentRunId: 'run-0' })).toMatchObject({ status: 'cancelled' });
    expect((await events()).at(-1)?.payload).toEqual({
      reason: 'parent-cancelled',
      parentRunId: 'run-0',
    });
  });

  it('takes an answer once; the same command again is answered again', async () => {
    await suspended();
    expect(await header()).toMatchObject({ status: 'waiting-approval' });
    now = new Date('2026-01-01T00:00:05.000Z');
    const command = { ...accept, commandId: 'c-1' };
    expect(await client.resolveInterrupt(command)).toEqual({ runId: 'run-1', status: 'running' });
    await advanceRun();
    expect(await client.resolveInterrupt(command)).toEqual({ runId: 'run-1', status: 'completed' });
    await expect(client.resolveInterrupt(accept)).rejects.toMatchObject({
      code: 'interrupt_already_resolved',
    });
  });

  it.each<[string, object, string]>([
    ['a node that waits for nothing', { nodeId: 'other' }, 'interrupt_not_found'],
    ['an answer that does not fit', { resumeValue: { action: 'maybe' } }, 'validation_error'],
    ['another interrupt of the node', { interruptId: 'run-1:gate:7' }, 'interrupt_already_resolved'],
    ['a run that is not there', { runId: 'run-2' }, 'not_found'],
    ['a run of another tenant', { tenantId: 'other' }, 'not_found'],
  ])('refuses an answer to %s, and records nothing', async (_what, change, code) => {
    await suspended();
    const { head } = (await header()) ?? {};
    await expect(client.resolveInterrupt({ ...accept, ...change })).rejects.toMatchObject({ code });
    expect((await header())?.head).toBe(head);
  });

  it('is cancelled, and stays cancelled', async () => {
    await suspended();
    expect(await client.cancelRun({ ...key, reason: 'enough', cancelledBy: 'key-1' })).toEqual({
      runId: 'run-1',
      status: 'cancelled',
    });
    const all = await events();
    expect(all.at(-1)).toMatchObject({ type: 'run.cancelled', payload: { reason: 'enough' } });
    expect(await client.cancelRun(key)).toEqual({ runId: 'run-1', status: 'cancelled' });
    await expect(client.resolveInterrupt(accept)).rejects.toMatchObject({ code: 'interrupt_cancelled' });
    expect(await events()).toEqual(all);
  });

  it('that has ended answers a cancellation with how it ended', async () => {
    await suspended();
    await client.resolveInterrupt(accept);
    await advanceRun();
    expect(await client.cancelRun(key)).toEqual({ runId: 'run-1', status: 'completed' });
  });

  it('takes no turns of a caller', async () => {
    await client.startWorkflow(start);
    await expect(client.finishRun(key)).rejects.toMatchObject({ code: 'run_not_active' });
  });

  it('is decided on anew where the orchestrator was faster', async () => {
    await client.startWorkflow(start);
    await serve(raced(advanceRun));
    await client.cancelRun(key);
    expect((await events()).map(({ type }) => type)).toEqual(
      expect.arrayContaining(['node.suspended', 'node.cancelled', 'run.cancelled']),
    );
  });

  it('has one winner where an answer loses to a cancellation', async () => {
    await suspended();
    const beside = new InProcessBus({ store: new MemoryStreamStore() });
    await answerRequests(beside, { eventLog, clock: { now: () => now } });
    await serve(raced(async () => void (await new RunLogClient(beside).cancelRun(key))));
    await expect(client.resolveInterrupt(accept)).rejects.toMatchObject({ code: 'interrupt_cancelled' });
    await beside.close();
  });

  it('is put off where its head never stands still', async () => {
    await suspended();
    const restless = Object.assign(Object.create(eventLog) as EventLog, {
      append: () => Promise.reject(new SequenceConflictError(key.runId, 0, 1)),
    });
    await serve(restless);
    await expect(client.cancelRun(key)).rejects.toMatchObject({
      code: 'service_unavailable',
      retryable: true,
    });
  });
});

describe('a replay of a run that still waits', () => {
  const fork = { ...key, runId: 'fork-1' };
  const forkHead = async () => (await eventLog.header(fork.tenantId, fork.runId))?.head;

  /** All but the last so many events are repeated. */
  async function replayed(missing: number): Promise<void> {
    await suspended();
    const { head: target = -1 } = (await header()) ?? {};
    const state = { ...(await header())?.state, replayTarget: target };
    const origin = { runId: key.runId, fromSequence: target + 1 - missing, mode: 'replay' as const };
    await eventLog.fork({ ...fork, origin, at: now, status: 'waiting-approval', state });
  }

  it('takes no answer: nobody would go on with it', async () => {
    await replayed(0);
    await expect(client.resolveInterrupt({ ...accept, ...fork })).rejects.toMatchObject({
      code: 'interrupt_not_found',
    });
    expect(await forkHead()).toBe(3);
  });

  it('can be cancelled', async () => {
    await replayed(0);
    expect(await client.cancelRun(fork)).toEqual({ runId: 'fork-1', status: 'cancelled' });
  });

  it('that branches off takes no answer before its overlay is recorded', async () => {
    await suspended();
    const { head = -1, state = {} } = (await header()) ?? {};
    const origin = { runId: key.runId, fromSequence: head + 1, mode: 'branch' as const };
    const incomplete = { ...state, replayTarget: head + 1 };
    await eventLog.fork({ ...fork, origin, at: now, status: 'pending', state: incomplete });
    await expect(client.resolveInterrupt({ ...accept, ...fork })).rejects.toMatchObject({
      code: 'run_not_active',
    });
    expect(await forkHead()).toBe(head);
  });

  it('does not end before all is repeated: nothing comes after the end of a run', async () => {
    await replayed(1);
    await expect(client.cancelRun(fork)).rejects.toMatchObject({ code: 'run_not_active' });
    expect(await forkHead()).toBe(2);
  });
});

describe('a run whose loop is the caller’s', () => {
  const context = {
    transcriptTokenBudget: 400,
    tokenCounter: 'chars',
    keepLastTurns: 2,
    strategy: 'sliding-window',
  } as const;
  beforeEach(() => client.createRun({ ...key, workflowId: 'palimpsest-external', context }));

  it('is cancelled by the same command', async () => {
    const cancel = { ...key, reason: 'enough', commandId: 'c-1' };
    expect(await client.cancelRun(cancel)).toEqual({ runId: 'run-1', status: 'cancelled' });
    expect(await client.cancelRun(cancel)).toEqual({ runId: 'run-1', status: 'cancelled' });
    expect((await events()).map(({ type }) => type)).toEqual(['run.started', 'run.cancelled']);
    await expect(client.finishRun(key)).rejects.toMatchObject({ code: 'run_not_active' });
  });

  it('has no interrupts', async () => {
    await expect(client.resolveInterrupt(accept)).rejects.toMatchObject({ code: 'interrupt_not_found' });
  });

  it('that has ended answers with how it ended', async () => {
    await client.finishRun(key);
    expect(await client.cancelRun(key)).toEqual({ runId: 'run-1', status: 'completed' });
  });
});
