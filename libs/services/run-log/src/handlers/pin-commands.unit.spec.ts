import { RunLogClient } from '@palimpsest/adapter-clients';
import { InProcessBus, MemoryEventLog, MemoryStreamStore } from '@palimpsest/adapter-memory';
import {
  foldOwnLoop,
  startedOwnLoop,
  type AddPin,
  type JsonObject,
  type OwnLoopState,
  type RecordedEvent,
  type WorkflowRunState,
} from '@palimpsest/contracts';
import type { EventLog } from '@palimpsest/kernel';
import { foldWorkflowRun } from '@palimpsest/workflow';
import { answerRequests } from './answer-requests.js';

const key = { tenantId: 'acme', runId: 'run-1' };
const context = {
  transcriptTokenBudget: 1000,
  tokenCounter: 'chars',
  keepLastTurns: 2,
  strategy: 'sliding-window',
} as const;
const counts = { o200k_base: 3, cl100k_base: 4, chars: 10 };
const artifactId = `art_${'a'.repeat(32)}`;
const pin: AddPin = { ...key, pinId: 'pin_a', artifactId, counts, repaired: false, commandId: 'c-1' };
const workflow = {
  ...key,
  workflowId: 'w',
  workflowDigest: 'd'.repeat(64),
  inputs: {},
  defaults: {},
  bounds: { maxNodeExecutions: 10, maxRunDurationMs: 60_000 },
};

let eventLog: MemoryEventLog;
let bus: InProcessBus;
let client: RunLogClient;

beforeEach(async () => {
  eventLog = new MemoryEventLog();
  await serve(eventLog);
});
afterEach(() => bus.close());

async function serve(log: EventLog): Promise<void> {
  await bus?.close();
  bus = new InProcessBus({ store: new MemoryStreamStore() });
  await answerRequests(bus, { eventLog: log, clock: { now: () => new Date('2026-01-01T00:00:00.000Z') } });
  client = new RunLogClient(bus);
}

const start = {
  'whose loop is the caller’s': () =>
    client.createRun({ ...key, workflowId: 'palimpsest-external', context }),
  'that the host executes': () => client.startWorkflow({ ...workflow, context }),
} as const;

const foldOf = {
  'whose loop is the caller’s': (events: readonly RecordedEvent[]) =>
    events.reduce<OwnLoopState>(foldOwnLoop, startedOwnLoop(events[0]?.payload ?? {})),
  'that the host executes': (events: readonly RecordedEvent[]) =>
    events.reduce<WorkflowRunState | undefined>(foldWorkflowRun, undefined),
} as const;

const header = (runId = key.runId) => eventLog.header(key.tenantId, runId);
const events = async () => (await eventLog.readRun({ ...key, fromSequence: 0 })).events;
const pins = async () => ((await header())?.state as { pins?: JsonObject } | undefined)?.pins;

/** Somebody else's event between a command's look at the run and its append. */
function raced(): EventLog {
  let isRaced = false;
  return Object.assign(Object.create(eventLog) as EventLog, {
    append: async (request: Parameters<EventLog['append']>[0]) => {
      if (!isRaced) {
        isRaced = true;
        const others = [{ type: 'palimpsest.window.planned', payload: {}, schemaVersion: 1 }];
        await eventLog.append({ ...key, expectedHead: 0, events: others, at: new Date() });
      }
      return eventLog.append(request);
    },
    header: (tenantId: string, runId: string) => eventLog.header(tenantId, runId),
  });
}

describe.each(Object.keys(start) as (keyof typeof start)[])('pins of a run %s', (kind) => {
  const begin = () => start[kind]();

  afterEach(async () => {
    const recorded = await events();
    if (recorded.length > 0 && recorded.every(({ type }) => !type.startsWith('run.c')))
      expect((await header())?.state).toEqual(foldOf[kind](recorded));
  });

  it('are added and removed, and its header knows them at once', async () => {
    await begin();
    const status = (await header())?.status;
    const added = await client.addPin(pin);
    expect(added).toEqual({ pinId: 'pin_a', eventId: 'evt-run-1-1', sequence: 1, pinnedTokens: 10 });
    const second = await client.addPin({ ...pin, pinId: 'pin_b', commandId: 'c-2' });
    expect(second).toMatchObject({ sequence: 2, pinnedTokens: 20 });
    expect(await pins()).toEqual({ pin_a: { sequence: 1, tokens: 10 }, pin_b: { sequence: 2, tokens: 10 } });
    const removed = await client.removePin({ ...key, pinId: 'pin_a', commandId: 'c-3' });
    expect(removed).toEqual({ pinId: 'pin_a', eventId: 'evt-run-1-3', sequence: 3, pinnedTokens: 10 });
    expect((await events()).map(({ type, nodeId }) => [type, nodeId])).toEqual([
      ['run.started', undefined],
      ['palimpsest.pin.added', 'pin:pin_a'],
      ['palimpsest.pin.added', 'pin:pin_b'],
      ['palimpsest.pin.removed', 'pin:pin_a'],
    ]);
    expect((await events())[1]).toMatchObject({ payload: { pinId: 'pin_a', artifactId }, counts });
    expect((await header())?.status).toBe(status);
  });

  it('asked for twice are there once, also after they are gone', async () => {
    await begin();
    const first = await client.addPin(pin);
    expect(await client.addPin(pin)).toEqual(first);
    await client.removePin({ ...key, pinId: 'pin_a', commandId: 'c-2' });
    expect(await client.removePin({ ...key, pinId: 'pin_a', commandId: 'c-2' })).toMatchObject({
      sequence: 2,
    });
    expect(await client.addPin(pin)).toEqual({ ...first, pinnedTokens: 0 });
    expect(await events()).toHaveLength(3);
    await expect(client.removePin({ ...key, pinId: 'pin_a' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('of one id are one', async () => {
    await begin();
    await client.addPin(pin);
    const other = { ...pin, commandId: 'c-2' };
    await expect(client.addPin(other)).rejects.toMatchObject({ code: 'validation_error' });
  });

  it('leave room for the turns to keep', async () => {
    await begin();
    const large = { ...pin, counts: { ...counts, chars: 600 } };
    await expect(client.addPin(large)).rejects.toMatchObject({
      code: 'context_budget_infeasible',
      details: { minimumBudget: 384 + 128 + 600 },
    });
    expect(await events()).toHaveLength(1);
  });

  it('give way to what others append meanwhile', async () => {
    await begin();
    await serve(raced());
    expect(await client.addPin(pin)).toMatchObject({ sequence: 2 });
    expect(await pins()).toEqual({ pin_a: { sequence: 2, tokens: 10 } });
  });

  it('are none of a run that has ended, of a replay, or of nobody', async () => {
    await expect(client.addPin(pin)).rejects.toMatchObject({ code: 'not_found' });
    await begin();
    const at = new Date('2026-01-01T00:00:00.000Z');
    const { state = {}, status = 'running' } = (await header()) ?? {};
    for (const mode of ['replay', 'branch'] as const) {
      const origin = { runId: key.runId, fromSequence: 0, mode };
      await eventLog.fork({
        tenantId: 'acme',
        runId: mode,
        origin,
        at,
        status,
        state: { ...state, replayTarget: 0 },
      });
      await expect(client.addPin({ ...pin, runId: mode })).rejects.toMatchObject({ code: 'run_not_active' });
    }
    await client.cancelRun(key);
    await expect(client.addPin(pin)).rejects.toMatchObject({ code: 'run_not_active' });
    await expect(client.removePin({ ...key, pinId: 'pin_a' })).rejects.toMatchObject({
      code: 'run_not_active',
    });
  });
});

describe('a run without windows', () => {
  it('takes no pins', async () => {
    await client.startWorkflow(workflow);
    await expect(client.addPin(pin)).rejects.toMatchObject({ code: 'validation_error' });
    expect((await header())?.state).not.toHaveProperty('context');
  });
});
