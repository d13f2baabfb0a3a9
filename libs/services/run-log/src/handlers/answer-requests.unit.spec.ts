import { InProcessBus, MemoryEventLog, MemoryStreamStore } from '@palimpsest/adapter-memory';
import { BusEventLog, RunLogClient } from '@palimpsest/adapter-clients';
import {
  eventIdOf,
  RUN_LOG_SUBJECTS,
  type JsonObject,
  type JsonValue,
  type MessageDraft,
  type OwnLoopState,
} from '@palimpsest/contracts';
import { SequenceConflictError, type EventLog } from '@palimpsest/kernel';
import { answerRequests } from './answer-requests.js';

const key = { tenantId: 'acme', runId: 'run-1' };
const context = {
  transcriptTokenBudget: 400,
  tokenCounter: 'chars',
  keepLastTurns: 2,
  strategy: 'sliding-window',
} as const;
const create = { ...key, workflowId: 'palimpsest-external', context };
const counts = { o200k_base: 3, cl100k_base: 4, chars: 10 };

let eventLog: MemoryEventLog;
let bus: InProcessBus;
let client: RunLogClient;
let now: Date;

beforeEach(async () => {
  eventLog = new MemoryEventLog();
  await serve(eventLog);
});
afterEach(() => bus.close());

async function serve(log: EventLog): Promise<void> {
  await bus?.close();
  bus = new InProcessBus({ store: new MemoryStreamStore() });
  now = new Date('2026-01-01T00:00:00.000Z');
  await answerRequests(bus, { eventLog: log, clock: { now: () => now } });
  client = new RunLogClient(bus);
}

function draft(role: MessageDraft['role'], ...toolCallIds: string[]): MessageDraft {
  return { role, artifactId: `art_${'a'.repeat(32)}`, toolCallIds, counts, repaired: false };
}

const user = { ...key, messages: [draft('user')] };

/** What the assembler appends between two turns. */
async function appendWindow(): Promise<void> {
  const header = await eventLog.header(key.tenantId, key.runId);
  const events = [{ type: 'palimpsest.window.planned', payload: {}, schemaVersion: 1 }];
  await new BusEventLog(bus).append({ ...key, expectedHead: header?.head ?? -1, events, at: now });
}

async function state(): Promise<OwnLoopState> {
  const header = await eventLog.header(key.tenantId, key.runId);
  return header?.state as unknown as OwnLoopState;
}

describe('an own-loop run, over the bus', () => {
  it('is created, appended to and finished', async () => {
    const created = await client.createRun(create);
    expect(created).toMatchObject({ ...key, status: 'running', head: 0, createdAt: now.toISOString() });
    expect(await client.appendMessages({ ...key, messages: [draft('system'), draft('user')] })).toEqual({
      firstSequence: 1,
      lastSequence: 2,
      lastMessageSequence: 2,
      eventIds: [eventIdOf('run-1', 1), eventIdOf('run-1', 2)],
    });
    expect(await state()).toMatchObject({ messageCount: 2, transcriptTokens: 10, instructionTokens: 10 });
    now = new Date('2026-01-01T00:00:05.000Z');
    expect(await client.finishRun(key)).toMatchObject({
      status: 'completed',
      head: 3,
      updatedAt: now.toISOString(),
    });
  });

  it('keeps nothing of a request with one bad message', async () => {
    await client.createRun(create);
    const messages = [draft('user'), draft('assistant', 'a'), draft('tool', 'b')];
    await expect(client.appendMessages({ ...key, messages })).rejects.toMatchObject({
      code: 'tool_result_without_call',
      details: { field: 'messages.2' },
    });
    expect(await eventLog.header(key.tenantId, key.runId)).toMatchObject({ head: 0 });
    expect(await state()).toMatchObject({ openCalls: {}, messageCount: 0 });
  });

  it('is unknown to another tenant', async () => {
    await client.createRun(create);
    await expect(client.appendMessages({ ...user, tenantId: 'other' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('is not created twice', async () => {
    await client.createRun(create);
    await expect(client.createRun(create)).rejects.toMatchObject({ code: 'sequence_conflict' });
  });
});

describe('a command sent again', () => {
  it('answers the creation as it was, whatever came after', async () => {
    const command = { ...create, metadata: { team: 'x' }, commandId: 'c-1' };
    const first = await client.createRun(command);
    await client.appendMessages(user);
    await client.finishRun(key);
    expect(await client.createRun(command)).toEqual(first);
  });

  it('answers the place of the first append, also where it would be refused by now', async () => {
    await client.createRun(create);
    const command = {
      ...key,
      messages: [draft('assistant', 'a')],
      expectedSequence: -1,
      commandId: 'c-1',
    };
    const first = await client.appendMessages(command);
    await appendWindow();
    expect(await client.appendMessages(command)).toEqual(first);
    await client.finishRun(key);
    expect(await client.appendMessages(command)).toEqual(first);
    expect(await eventLog.header(key.tenantId, key.runId)).toMatchObject({ head: 3 });
  });

  it('answers a finished run as it stays; another finish is refused', async () => {
    await client.createRun(create);
    const first = await client.finishRun({ ...key, commandId: 'c-1' });
    expect(await client.finishRun({ ...key, commandId: 'c-1' })).toEqual(first);
    for (const again of [key, { ...key, commandId: 'c-2' }])
      await expect(client.finishRun(again)).rejects.toMatchObject({ code: 'run_not_active' });
  });

  it('at once has one effect', async () => {
    await client.createRun(create);
    const command = { ...user, commandId: 'c-1' };
    const answers = await Promise.all([1, 2, 3, 4].map(() => client.appendMessages(command)));
    expect(new Set(answers.map(({ firstSequence }) => firstSequence))).toEqual(new Set([1]));
    expect(await state()).toMatchObject({ messageCount: 1 });
  });
});

describe('writers at once', () => {
  it('all get their place where none expects one', async () => {
    await client.createRun(create);
    const answers = await Promise.all(Array.from({ length: 16 }, () => client.appendMessages(user)));
    const places = answers.map(({ firstSequence }) => firstSequence).sort((left, right) => left - right);
    expect(places).toEqual(Array.from({ length: 16 }, (_, place) => place + 1));
    expect(await state()).toMatchObject({ messageCount: 16, lastMessageSequence: 16 });
  });

  it('have one winner where all expect the same', async () => {
    await client.createRun(create);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => client.appendMessages({ ...user, expectedSequence: -1 })),
    );
    const refusals = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refusals).toHaveLength(7);
    for (const { reason } of refusals) expect(reason).toMatchObject({ code: 'sequence_conflict' });
  });

  it('do not conflict with a window that was planned meanwhile', async () => {
    await client.createRun(create);
    await client.appendMessages(user);
    await appendWindow();
    expect(await client.appendMessages({ ...user, expectedSequence: 1 })).toMatchObject({ firstSequence: 3 });
  });

  it('are asked to come back where the head never stands still', async () => {
    await client.createRun(create);
    const restless = Object.assign(Object.create(eventLog) as EventLog, {
      append: () => Promise.reject(new SequenceConflictError(key.runId, 0, 1)),
    });
    await serve(restless);
    await expect(client.appendMessages(user)).rejects.toMatchObject({
      code: 'service_unavailable',
      retryable: true,
    });
  });
});

describe('forks', () => {
  const fork = async (mode: 'replay' | 'branch') => {
    await client.createRun(create);
    await client.appendMessages({ ...key, messages: [draft('assistant', 'a')] });
    const origin = { runId: key.runId, fromSequence: 2, mode };
    const forked = { tenantId: key.tenantId, runId: 'fork-1', origin, at: now, status: 'running' as const };
    await new BusEventLog(bus).fork({ ...forked, state: (await state()) as unknown as JsonObject });
  };

  it('that branch take turns, and pair results with shared calls under their own ids', async () => {
    await fork('branch');
    await client.appendMessages({ ...key, runId: 'fork-1', messages: [draft('tool', 'a')] });
    const page = await eventLog.readRun({ tenantId: key.tenantId, runId: 'fork-1', fromSequence: 2 });
    expect(page.events[0]).toMatchObject({ causationId: eventIdOf('fork-1', 1) });
  });

  it('that replay take none', async () => {
    await fork('replay');
    await expect(client.appendMessages({ ...user, runId: 'fork-1' })).rejects.toMatchObject({
      code: 'run_not_active',
    });
    await expect(client.finishRun({ ...key, runId: 'fork-1' })).rejects.toMatchObject({
      code: 'run_not_active',
    });
  });
});

describe('requests that do not fit', () => {
  const { createRun, appendMessages, append, read, list, header, fork, finishRun } = RUN_LOG_SUBJECTS;

  it.each<[string, string, JsonValue, string]>([
    ['no object', createRun, 'x', '(body)'],
    ['a tenant that cannot be', createRun, { ...create, tenantId: 'A B' }, 'tenantId'],
    ['an unknown key', finishRun, { ...key, other: 1 }, '(body)'],
    ['NUL in metadata', createRun, { ...create, metadata: { deep: ['\u0000'] } }, 'metadata'],
    ['a lone surrogate in a key', createRun, { ...create, inputs: { '\ud800': 1 } }, 'inputs'],
    ['a lone surrogate in a tag', createRun, { ...create, tags: ['\ud800'] }, 'tags.0'],
    ['NUL in a command id', finishRun, { ...key, commandId: '\u0000' }, 'commandId'],
    ['no messages', appendMessages, { ...key, messages: [] }, 'messages'],
    ['a fractional expectation', appendMessages, { ...user, expectedSequence: 0.5 }, 'expectedSequence'],
    [
      'NUL in a call id',
      appendMessages,
      { ...key, messages: [draft('tool', '\u0000')] },
      'messages.0.toolCallIds.0',
    ],
    [
      'a reserved call id',
      appendMessages,
      { ...key, messages: [draft('tool', '__proto__')] },
      'messages.0.toolCallIds.0',
    ],
    [
      'an event without a type',
      append,
      { ...key, expectedHead: 0, at: '2026-01-01T00:00:00.000Z', events: [{}] },
      'events.0.type',
    ],
    ['a time that is none', append, { ...key, expectedHead: 0, at: 'now', events: [] }, 'events'],
    ['a negative place', read, { ...key, fromSequence: -1 }, 'fromSequence'],
    ['too long a page', read, { ...key, fromSequence: 0, limit: 501 }, 'limit'],
    ['no limit', list, { tenantId: 'acme' }, 'limit'],
    ['a run id with a space', header, { ...key, runId: 'a b' }, 'runId'],
    ['no origin', fork, { ...key, at: '2026-01-01T00:00:00.000Z', status: 'running', state: {} }, 'origin'],
  ])('%s', async (_, subject, body, field) => {
    await expect(bus.request(subject, body)).rejects.toMatchObject({
      code: 'validation_error',
      details: { field },
    });
  });

  it('payloads above 64 KiB', async () => {
    const metadata = { note: 'n'.repeat(64 * 1024) };
    await expect(client.createRun({ ...create, metadata })).rejects.toMatchObject({
      code: 'payload_too_large',
    });
    expect(await eventLog.header(key.tenantId, key.runId)).toBeUndefined();
  });
});

describe('a list of runs with much metadata', () => {
  it('comes in answers that the bus can carry, and loses none', async () => {
    const metadata = { note: 'n'.repeat(60 * 1024) };
    const runIds = Array.from({ length: 20 }, (_, index) => `run-${index}`);
    for (const runId of runIds) await client.createRun({ ...create, runId, metadata });
    const log = new BusEventLog(bus);
    const listed: string[] = [];
    let cursor: string | undefined;
    do {
      const list = await log.listRuns({ tenantId: 'acme', limit: 20, ...(cursor && { cursor }) });
      expect(list.runs.length).toBeLessThan(20);
      listed.push(...list.runs.map(({ runId }) => runId));
      cursor = list.nextCursor;
    } while (cursor !== undefined);
    expect(listed.sort()).toEqual(runIds.sort());
  });
});
