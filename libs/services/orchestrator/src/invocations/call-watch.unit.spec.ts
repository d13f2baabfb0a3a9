import { wakeRunSubject, type JsonObject } from '@palimpsest/contracts';
import { InProcessBus, MemoryEventLog, MemoryStreamStore } from '@palimpsest/adapter-memory';
import { noRacePoints, silentLogger, systemClock } from '@palimpsest/kernel';
import { startedWorkflowRun } from '@palimpsest/workflow';
import { jest } from '@jest/globals';
import { whileWanted, LOOK_MS } from './call-watch.js';
import type { InvocationPorts } from './invocation-ports.js';
import { MemoryInvocationStore } from './memory-invocation-store.js';

const run = { tenantId: 'acme', runId: 'run-1' };

let log: MemoryEventLog;
let bus: InProcessBus;
let stopping: AbortController;
let ports: InvocationPorts;
let now: number;

beforeEach(async () => {
  log = new MemoryEventLog();
  bus = new InProcessBus({ store: new MemoryStreamStore() });
  stopping = new AbortController();
  now = Date.now();
  ports = {
    eventLog: log,
    bus,
    invocations: new MemoryInvocationStore(),
    clock: systemClock,
    logger: silentLogger,
    races: noRacePoints,
    stopping: stopping.signal,
    newOwner: () => 'owner',
  };
  const payload = { workflowDigest: 'd', rootRunId: 'run-1', inputs: {}, defaults: {}, bounds: {} } as never;
  const state = startedWorkflowRun(payload, new Date(now).toISOString()) as unknown as JsonObject;
  await log.append({
    ...run,
    workflowId: 'w',
    expectedHead: 'no-run',
    events: [{ type: 'run.started', payload: {}, schemaVersion: 1 }],
    at: new Date(now),
    header: { status: 'running', state },
  });
});
afterEach(async () => {
  jest.useRealTimers();
  await bus.close();
});

const until = (signal: AbortSignal) =>
  new Promise<string>((resolve) => {
    if (signal.aborted) resolve('aborted');
    signal.addEventListener('abort', () => resolve('aborted'));
  });

const endRun = (state: JsonObject, status: 'running' | 'cancelled' = 'running') =>
  log.append({
    ...run,
    expectedHead: 0,
    events: [{ type: 'node.started', payload: {}, schemaVersion: 1 }],
    at: new Date(now),
    header: { status, state: { kind: 'workflow', ...state } },
  });

/** Waits until the work is begun, with everybody listening. */
function begin(changes: Partial<Parameters<typeof whileWanted>[1]> = {}) {
  let begun: () => void = () => undefined;
  const isAtWork = new Promise<void>((resolve) => (begun = resolve));
  const call = { run, renew: () => Promise.resolve(true), ...changes };
  const done = whileWanted(ports, call, (signal) => {
    begun();
    return until(signal);
  });
  return { isAtWork, done };
}

describe('a call under way', () => {
  it.each<[string, JsonObject, 'running' | 'cancelled']>([
    ['has ended', {}, 'cancelled'],
    ['is being cancelled', { cancelling: {} }, 'running'],
    ['is failing', { failing: {} }, 'running'],
  ])('is given up when its run %s', async (_what, state, status) => {
    const { isAtWork, done } = begin();
    await isAtWork;
    await endRun(state, status);
    bus.notify(wakeRunSubject(run.tenantId, run.runId), null);
    expect(await done).toBe('aborted');
  });

  it('goes on where its run goes on', async () => {
    let signal: AbortSignal | undefined;
    const answer = await whileWanted(ports, { run, renew: () => Promise.resolve(true) }, async (given) => {
      signal = given;
      bus.notify(wakeRunSubject(run.tenantId, run.runId), null);
      await log.header(run.tenantId, run.runId);
      return 'answer';
    });
    expect([answer, signal?.aborted]).toEqual(['answer', false]);
  });

  it('is not begun in vain where the run had ended before anybody listened', async () => {
    await endRun({}, 'cancelled');
    expect(await begin().done).toBe('aborted');
  });

  it('is given up when the process ends, also where that was said before', async () => {
    const { isAtWork, done } = begin();
    await isAtWork;
    stopping.abort();
    expect(await done).toBe('aborted');
    expect(await begin().done).toBe('aborted');
  });

  it('is given up when its time is over', async () => {
    expect(await begin({ until: new Date(Date.now() - 1) }).done).toBe('aborted');
  });

  it('is looked after: a lost word of the end is made up for, and a lost claim is noticed', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    const silent = begin();
    await silent.isAtWork;
    await endRun({}, 'cancelled');
    await jest.advanceTimersByTimeAsync(LOOK_MS);
    expect(await silent.done).toBe('aborted');
  });

  it('is given up where its claim is lost', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    const renewed: boolean[] = [true, false];
    const { isAtWork, done } = begin({ renew: () => Promise.resolve(renewed.shift() ?? false) });
    await isAtWork;
    await jest.advanceTimersByTimeAsync(LOOK_MS);
    expect(renewed).toEqual([false]);
    await jest.advanceTimersByTimeAsync(LOOK_MS);
    expect(await done).toBe('aborted');
  });
});
