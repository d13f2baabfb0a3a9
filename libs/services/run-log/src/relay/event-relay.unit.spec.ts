import { InProcessBus, MemoryEventLog, MemoryStreamStore } from '@palimpsest/adapter-memory';
import {
  EXTERNAL_WORKFLOW,
  NODE_CANCELLED,
  NODE_COMPLETED,
  NODE_RESUMED,
  NODE_STARTED,
  RUN_CANCELLED,
  RUN_CANCELLING,
  RUN_COMPLETED,
  RUN_STARTED,
  STREAMS,
  type RunEventNotice,
} from '@palimpsest/contracts';
import {
  LOG_START,
  ServiceUnavailableError,
  silentLogger,
  type DurableMessage,
  type EventLog,
  type MessageBus,
} from '@palimpsest/kernel';
import { waitUntil } from '@palimpsest/kernel/testing';
import type { CheckpointStore } from './checkpoint-store.js';
import { EventRelay, RELAY_READER } from './event-relay.js';
import { MemoryCheckpoints } from './memory-checkpoints.js';

const SECRET = 'what was said';
const counts = { o200k_base: 1, cl100k_base: 1, chars: 1 };

let eventLog: MemoryEventLog;
let bus: InProcessBus;
let checkpoints: MemoryCheckpoints;
let relays: EventRelay[];
let delivered: RunEventNotice[];

beforeEach(async () => {
  eventLog = new MemoryEventLog({ pollIntervalMs: 5 });
  bus = new InProcessBus({ store: new MemoryStreamStore() });
  checkpoints = new MemoryCheckpoints();
  relays = [];
  delivered = [];
  await bus.ensureStream(STREAMS.runEvents);
  await bus.consume({ stream: STREAMS.runEvents, durable: 'spec' }, (delivery) => {
    delivered.push(delivery.body as unknown as RunEventNotice);
    return Promise.resolve();
  });
});
afterEach(async () => {
  await Promise.all(relays.map((relay) => relay.close()));
  await bus.close();
});

type Parts = {
  bus?: MessageBus;
  checkpoints?: CheckpointStore;
  eventLog?: EventLog;
  onOutageOver?: () => void;
};

function relay(parts: Parts = {}): EventRelay {
  const started = new EventRelay({ eventLog, bus, checkpoints, logger: silentLogger, retryMs: 1, ...parts });
  relays.push(started);
  started.start();
  return started;
}

async function append(runId: string, count: number, from = 0): Promise<void> {
  await eventLog.append({
    tenantId: 'acme',
    runId,
    expectedHead: from === 0 ? 'no-run' : from - 1,
    workflowId: 'w',
    at: new Date('2026-01-01T00:00:00.000Z'),
    events: Array.from({ length: count }, (_, place) => ({
      type: 'test.noted',
      payload: { text: SECRET },
      schemaVersion: 1,
      counts,
      ...(place > 0 && { causationId: `evt-${runId}-0`, nodeId: 'n' }),
    })),
  });
}

/** The bus, as another process sees it: with failures of its own. */
function busThat(changes: Partial<MessageBus>): MessageBus {
  return Object.assign(Object.create(bus) as MessageBus, {
    ensureStream: (...args: Parameters<MessageBus['ensureStream']>) => bus.ensureStream(...args),
    publish: (...args: Parameters<MessageBus['publish']>) => bus.publish(...args),
    notify: (...args: Parameters<MessageBus['notify']>) => bus.notify(...args),
    ...changes,
  });
}

const places = () => delivered.map(({ runId, sequence }) => `${runId}#${sequence}`);

describe('the relay', () => {
  it('publishes what is committed, before and after its start, without payloads and counts', async () => {
    await append('run-1', 2);
    relay();
    await waitUntil(() => delivered.length === 2);
    await append('run-2', 1);
    await waitUntil(() => delivered.length === 3);
    expect(places()).toEqual(['run-1#0', 'run-1#1', 'run-2#0']);
    expect(delivered[1]).toEqual({
      tenantId: 'acme',
      runId: 'run-1',
      eventId: 'evt-run-1-1',
      type: 'test.noted',
      timestamp: '2026-01-01T00:00:00.000Z',
      sequence: 1,
      schemaVersion: 1,
      nodeId: 'n',
      causationId: 'evt-run-1-0',
    });
    expect(JSON.stringify(delivered)).not.toContain(SECRET);
  });

  it('goes on from its checkpoint in the next life', async () => {
    const published: string[] = [];
    const counting = busThat({
      publish: (stream, message) => {
        published.push(message.id);
        return bus.publish(stream, message);
      },
    });
    await append('run-1', 2);
    const first = relay({ bus: counting });
    await waitUntil(() => checkpoints.load(RELAY_READER));
    await first.close();
    await append('run-1', 1, 2);
    relay({ bus: counting });
    await waitUntil(() => delivered.length === 3);
    expect(published).toEqual(['evt-run-1-0', 'evt-run-1-1', 'evt-run-1-2']);
  });

  it('publishes again after a kill between publish and checkpoint, and the stream drops it', async () => {
    await append('run-1', 2);
    const killed = relay({
      checkpoints: { load: () => Promise.resolve(undefined), save: () => unavailable() },
    });
    await waitUntil(() => delivered.length === 2);
    await killed.close();
    await append('run-1', 1, 2);
    relay();
    await waitUntil(() => delivered.length === 3);
    expect(places()).toEqual(['run-1#0', 'run-1#1', 'run-1#2']);
  });

  describe('gives the orchestrator its jobs', () => {
    const record = (runId: string, workflowId: string, types: readonly string[]) =>
      eventLog.append({
        tenantId: 'acme',
        runId,
        expectedHead: 'no-run',
        workflowId,
        at: new Date(),
        events: types.map((type) => ({ type, payload: { workflowId, nodeId: 'n' }, schemaVersion: 1 })),
      });
    const types = [
      RUN_STARTED,
      NODE_STARTED,
      NODE_RESUMED,
      NODE_COMPLETED,
      NODE_CANCELLED,
      RUN_COMPLETED,
    ] as const;

    it('for events from which a run of its own may go on', async () => {
      const jobs: object[] = [];
      await bus.consume({ stream: STREAMS.advance, durable: 'spec' }, ({ id, subject, body }) => {
        jobs.push({ id, subject, body });
        return Promise.resolve();
      });
      await record('run-e', EXTERNAL_WORKFLOW, [RUN_STARTED, RUN_COMPLETED]);
      await record('run-w', 'w', types);
      relay();
      const last = { tenantId: 'acme', runId: 'run-w' };
      await waitUntil(() => jobs.length >= 3 && delivered.length === 8);
      const subject = 'palimpsest.work.advance.acme';
      expect(jobs).toHaveLength(3);
      expect(jobs).toEqual(
        expect.arrayContaining(
          [0, 2, 4].map((place) => ({ id: `advance:evt-run-w-${place}`, subject, body: last })),
        ),
      );
    });

    it('for the parent of a run that was cancelled, and for one that has yet to end its children', async () => {
      const jobs: object[] = [];
      await bus.consume({ stream: STREAMS.advance, durable: 'spec' }, ({ id, body }) => {
        jobs.push({ id, body });
        return Promise.resolve();
      });
      const payloads = [{ workflowId: EXTERNAL_WORKFLOW }, {}, { parentRunId: 'run-p' }] as const;
      const types = [RUN_STARTED, RUN_CANCELLING, RUN_CANCELLED] as const;
      await eventLog.append({
        tenantId: 'acme',
        runId: 'run-c',
        expectedHead: 'no-run',
        workflowId: 'w',
        at: new Date(),
        events: types.map((type, place) => ({ type, payload: payloads[place] ?? {}, schemaVersion: 1 })),
      });
      relay();
      await waitUntil(() => jobs.length >= 2 && delivered.length === 3);
      expect(jobs).toEqual(
        expect.arrayContaining([
          { id: 'advance:evt-run-c-1', body: { tenantId: 'acme', runId: 'run-c' } },
          { id: 'advance:evt-run-c-2', body: { tenantId: 'acme', runId: 'run-p' } },
        ]),
      );
    });

    it('again where the job was published and the checkpoint not moved, and the stream drops it', async () => {
      let jobs = 0;
      await bus.consume({ stream: STREAMS.advance, durable: 'spec' }, () => {
        jobs += 1;
        return Promise.resolve();
      });
      let tried = 0;
      await record('run-w', 'w', [RUN_STARTED]);
      relay({
        bus: busThat({
          publish: async (stream, message) => {
            await bus.publish(stream, message);
            if (stream === STREAMS.advance && (tried += 1) < 3) await unavailable();
          },
        }),
      });
      await waitUntil(() => checkpoints.load(RELAY_READER));
      await record('run-x', 'w', [RUN_STARTED]);
      await waitUntil(() => jobs === 2);
      expect(tried).toBe(4);
    });
  });

  it('in several instances delivers each event once', async () => {
    relay();
    relay();
    relay();
    await append('run-1', 50);
    await append('run-2', 50);
    await waitUntil(() => delivered.length >= 100);
    await Promise.all(relays.map((each) => each.close()));
    expect(new Set(places()).size).toBe(100);
    expect(delivered).toHaveLength(100);
  });

  it('waits while the bus is gone, and loses nothing', async () => {
    let gone = true;
    let tried = 0;
    const flaky = busThat({
      publish: (stream, message: DurableMessage) => {
        tried += 1;
        return gone && message.id !== 'evt-run-1-0' ? unavailable() : bus.publish(stream, message);
      },
    });
    await append('run-1', 3);
    let outages = 0;
    relay({ bus: flaky, onOutageOver: () => (outages += 1) });
    await waitUntil(() => tried > 6);
    expect(outages).toBe(0);
    expect(await checkpoints.load(RELAY_READER)).toBeUndefined();
    await append('run-1', 1, 3);
    gone = false;
    await waitUntil(() => delivered.length === 4);
    expect(places()).toEqual(['run-1#0', 'run-1#1', 'run-1#2', 'run-1#3']);
    await waitUntil(() => outages === 1);
  });

  it('makes its stream anew where the bus has lost it', async () => {
    let streams = 0;
    const forgetful = busThat({
      ensureStream: (stream) => {
        if (stream === STREAMS.runEvents) streams += 1;
        return bus.ensureStream(stream);
      },
      publish: (stream, message) => (streams < 2 ? unavailable() : bus.publish(stream, message)),
    });
    await append('run-1', 1);
    relay({ bus: forgetful });
    await waitUntil(() => delivered.length === 1);
    expect(streams).toBe(2);
  });

  it('begins as soon as the database answers', async () => {
    let attempts = 0;
    const late: CheckpointStore = {
      load: (reader) => ((attempts += 1) < 3 ? unavailable() : checkpoints.load(reader)),
      save: (reader, cursor) => checkpoints.save(reader, cursor),
    };
    await append('run-1', 1);
    relay({ checkpoints: late });
    await waitUntil(() => delivered.length === 1);
    expect(attempts).toBe(3);
  });

  it('closes while it waits', async () => {
    await append('run-1', 1);
    const stuck = relay({ bus: busThat({ publish: () => unavailable() }) });
    await expect(stuck.close()).resolves.toBeUndefined();
  });
});

describe('checkpoints in memory', () => {
  it('move forward only, by transaction and then by position, beyond 2^53', async () => {
    const at = (transactionId: string, position: string) => ({ transactionId, position });
    await checkpoints.save('r', at('9007199254740993', '1'));
    await checkpoints.save('r', at('9007199254740992', '9'));
    await checkpoints.save('r', LOG_START);
    expect(await checkpoints.load('r')).toEqual(at('9007199254740993', '1'));
    await checkpoints.save('r', at('9007199254740993', '2'));
    expect(await checkpoints.load('r')).toEqual(at('9007199254740993', '2'));
    expect(await checkpoints.load('other')).toBeUndefined();
  });
});

function unavailable(): Promise<never> {
  return Promise.reject(new ServiceUnavailableError('The bus'));
}
