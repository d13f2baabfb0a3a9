import type { JsonObject } from '@palimpsest/contracts';
import { InProcessBus, MemoryEventLog, MemoryStreamStore } from '@palimpsest/adapter-memory';
import {
  ArtifactErasedError,
  noRacePoints,
  permitEffects,
  silentLogger,
  systemClock,
  type AskedOfModel,
} from '@palimpsest/kernel';
import { startedWorkflowRun } from '@palimpsest/workflow';
import { askOnce, type Reply } from './ask-once.js';
import { callKey } from './call-key.js';
import type { InvocationPorts } from './invocation-ports.js';
import { MemoryInvocationStore } from './memory-invocation-store.js';

const run = { tenantId: 'acme', runId: 'run-1' };
const name = { provider: 'p', model: 'm' };

let bus: InProcessBus;
let invocations: MemoryInvocationStore;
let ports: InvocationPorts;
let warnings: object[];
let calls: number;

const says = (text: string): AskedOfModel => ({
  system: 's',
  messages: [{ role: 'user', text }],
  answer: { kind: 'text' },
  maxOutputTokens: 9,
});

beforeEach(async () => {
  const eventLog = new MemoryEventLog();
  const now = new Date();
  bus = new InProcessBus({ store: new MemoryStreamStore() });
  invocations = new MemoryInvocationStore();
  warnings = [];
  calls = 0;
  ports = {
    ...{ eventLog, bus, invocations, clock: systemClock, races: noRacePoints },
    logger: { ...silentLogger, warn: (fields) => void warnings.push(fields) },
    stopping: new AbortController().signal,
    newOwner: () => `owner-${Math.random()}`,
  };
  const started = {
    workflowDigest: 'd',
    rootRunId: run.runId,
    inputs: {},
    defaults: {},
    bounds: {},
  } as never;
  await eventLog.append({
    ...run,
    workflowId: 'w',
    expectedHead: 'no-run',
    events: [{ type: 'run.started', payload: {}, schemaVersion: 1 }],
    at: now,
    header: {
      status: 'running',
      state: startedWorkflowRun(started, now.toISOString()) as unknown as JsonObject,
    },
  });
});
afterEach(() => bus.close());

/** A provider that never says the same twice. */
function turn(
  ordinal: number,
  request: () => AskedOfModel | Promise<AskedOfModel>,
): Promise<Reply | undefined> {
  return askOnce(ports, {
    ...{ run, nodeId: 's', ordinal, name, providerKey: 'p:m' },
    permit: permitEffects({ ...run, origin: undefined }),
    request: () => Promise.resolve().then(request),
    ask: () => {
      calls += 1;
      return Promise.resolve({
        answer: { kind: 'answered', value: { text: `answer ${calls}` } },
        usages: [],
      });
    },
  });
}

const erased = () => {
  throw new ArtifactErasedError('art_1');
};
const answered = (text: string): Reply => ({ kind: 'kept', answer: { kind: 'answered', value: { text } } });
const keptKeys = async () =>
  (await invocations.keptCalls(run)).map(({ ordinal, cacheKey }) => [ordinal, cacheKey]);

describe('an invocation', () => {
  it('is made for each turn, also where two ask the same', async () => {
    expect(await turn(1, () => says('Go on.'))).toEqual(answered('answer 1'));
    expect(await turn(2, () => says('Go on.'))).toEqual(answered('answer 2'));
    const key = callKey(name, says('Go on.'));
    expect(await keptKeys()).toEqual([
      [1, key],
      [2, key],
    ]);
  });

  it('is answered by what was kept, silently where the same would be asked', async () => {
    await turn(1, () => says('Go on.'));
    expect(await turn(1, () => says('Go on.'))).toEqual(answered('answer 1'));
    expect([calls, warnings]).toEqual([1, []]);
  });

  it('is answered by what was kept where something else would be asked, which is said without a word or a hash of it', async () => {
    await turn(1, () => says('Go on.'));
    expect(await turn(1, () => says('Stop, zebra.'))).toEqual(answered('answer 1'));
    expect(calls).toBe(1);
    expect(warnings).toEqual([{ ...run, nodeId: 's', invocationId: expect.any(String) as string }]);
    expect(await keptKeys()).toEqual([[1, callKey(name, says('Go on.'))]]);
  });

  it('is answered by what was kept where the request cannot be made any more', async () => {
    await turn(1, () => says('Go on.'));
    expect(await turn(1, erased)).toEqual(answered('answer 1'));
    expect([calls, warnings]).toEqual([1, []]);
  });

  it('fails where its request cannot be made, and has no key', async () => {
    expect(await turn(1, erased)).toMatchObject({
      answer: { kind: 'failed', error: { code: 'artifact_erased' } },
    });
    expect([calls, await keptKeys()]).toEqual([0, []]);
  });

  it('is made where its request has no exact bytes, without a key', async () => {
    const half = () => says('\ud800');
    expect(await turn(1, half)).toEqual(answered('answer 1'));
    expect(await turn(1, half)).toEqual(answered('answer 1'));
    expect([calls, await keptKeys(), warnings]).toEqual([1, [], []]);
  });
});
