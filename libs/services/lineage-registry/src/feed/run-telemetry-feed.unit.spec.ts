import { InProcessBus, MemoryEventLog, MemoryStreamStore } from '@palimpsest/adapter-memory';
import {
  CONTEXT_SUMMARIZED,
  NODE_RESUMED,
  NODE_SUSPENDED,
  PROVIDER_USAGE,
  RUN_CANCELLED,
  RUN_COMPLETED,
  RUN_FAILED,
  RUN_STARTED,
  runEventSubject,
  STREAMS,
  WINDOW_PLANNED,
  type ForkOrigin,
  type JsonObject,
  type JsonValue,
  type NewRunEvent,
  type RunEventNotice,
} from '@palimpsest/contracts';
import {
  LOG_START,
  ServiceUnavailableError,
  systemClock,
  type EventLog,
  type LogCursor,
} from '@palimpsest/kernel';
import { waitUntil } from '@palimpsest/kernel/testing';
import { MemoryTelemetry } from '../store/memory-telemetry.js';
import { RunTelemetryFeed, type RunTelemetryFeedOptions } from './run-telemetry-feed.js';

const TENANT = 'acme';
const BEGAN = Date.UTC(2026, 2, 4, 5, 6, 7);
const STATE = {
  context: {
    transcriptTokenBudget: 100,
    tokenCounter: 'chars',
    keepLastTurns: 1,
    strategy: 'sliding-window',
  },
};

let log: MemoryEventLog;
let bus: InProcessBus;
let telemetry: MemoryTelemetry;
let feeds: RunTelemetryFeed[];
let told: LogCursor;
let published: number;
let ends: number;

beforeEach(async () => {
  log = new MemoryEventLog();
  bus = new InProcessBus({ store: new MemoryStreamStore() });
  telemetry = new MemoryTelemetry(systemClock);
  feeds = [];
  told = LOG_START;
  published = 0;
  ends = 0;
  await bus.ensureStream(STREAMS.runEvents);
});
afterEach(async () => {
  await Promise.all(feeds.map((feed) => feed.close()));
  await bus.close();
});

async function feed(options: Partial<RunTelemetryFeedOptions> = {}): Promise<RunTelemetryFeed> {
  const started = new RunTelemetryFeed({ eventLog: log, telemetry, environment: 'test', ...options });
  feeds.push(started);
  await started.start(bus);
  return started;
}

const event = (type: string, payload: JsonObject = {}): NewRunEvent => ({ type, payload, schemaVersion: 1 });
const usage = (rest: JsonObject = {}) =>
  event(PROVIDER_USAGE, { provider: 'anthropic', model: 'opus', inputTokens: 5, outputTokens: 2, ...rest });
const summarized = (iteration: number) =>
  event(CONTEXT_SUMMARIZED, {
    iteration,
    replacedTurns: ['evt-run-1'],
    summaryRef: `art_${'a'.repeat(22)}`,
    tokenCounter: 'chars',
    tokensBefore: 9,
    tokensAfter: 4,
  });
const planned = (iteration: number, tokenCount: number, summaries: number) =>
  event(WINDOW_PLANNED, {
    iteration,
    tokenCount,
    tokenCounter: 'chars',
    totals: { fedTokens: 1, unboundedTokens: 1, summaries },
  });

/** Begins a run, or goes on with it, a second after its beginning for each event it has. */
async function append(runId: string, ...events: readonly NewRunEvent[]): Promise<void> {
  const header = await log.header(TENANT, runId);
  const head = header?.head ?? -1;
  const at = new Date(BEGAN + (head + 1) * 1000);
  const started = [event(RUN_STARTED, { workflowId: 'w' }), ...events];
  const base = { tenantId: TENANT, runId, at, header: { state: STATE } };
  await log.append(
    header
      ? { ...base, expectedHead: head, events }
      : { ...base, expectedHead: 'no-run', workflowId: 'w', events: started },
  );
}

function fork(runId: string, origin: ForkOrigin, at: Date): Promise<unknown> {
  return log.fork({ tenantId: TENANT, runId, origin, at, status: 'running', state: STATE });
}

/** What the relay publishes: each committed event without its payload. */
async function tell({ from = told } = {}): Promise<void> {
  for (const { tenantId, event: recorded, cursor } of await log.readAll(from, 500)) {
    const { payload: _, ...envelope } = recorded;
    await publish({ ...envelope, tenantId } satisfies RunEventNotice);
    told = cursor;
  }
}

/** Under an id of its own: the bus would drop a second one itself. */
function publish(body: JsonValue): Promise<void> {
  const subject = runEventSubject(TENANT, 'run');
  return bus.publish(STREAMS.runEvents, { id: `notice-${(published += 1)}`, subject, body });
}

/** All that the feed made of what it was told, by id. A call of a run of its own is told of last. */
async function fed(count: number) {
  await append('last', usage());
  ends += 1;
  await tell();
  const events = await waitUntil(
    async () => {
      const all = await telemetry.list({ tenantId: TENANT, environment: 'test', after: 0, limit: 500 });
      const others = all.events.filter(({ id }) => !id.startsWith('run:evt-last-'));
      return others.length >= count && all.events.length - others.length >= ends && others;
    },
    { what: `${count} events and the last` },
  );
  return events
    .map(({ id, event: recorded }) => ({ id, event: recorded }))
    .sort((one, other) => (one.id < other.id ? -1 : 1));
}

describe('the feed of our own runs', () => {
  it('records a call of a model under the id of its event', async () => {
    await feed();
    await append('run', usage({ cacheReadTokens: 1, cacheWriteTokens: 1 }));
    const [recorded, ...others] = await fed(1);
    expect(others).toEqual([]);
    expect(recorded?.id).toBe('run:evt-run-1');
    expect(recorded?.event).toMatchObject({
      event: 'worker_usage',
      provider: 'claude',
      model: 'opus',
      observed_at: new Date(BEGAN).toISOString(),
      billed: { uncached_input_tokens: 3, output_tokens: 2, amount: null },
    });
  });

  it('records one event for each compaction, however many summaries it has, none for a window, and the run’s end', async () => {
    await feed();
    await append('run', planned(1, 90, 0));
    await append('run', summarized(2), summarized(2), planned(2, 50, 2));
    await append('run', planned(3, 75, 2), event('test.noted'));
    await append('run', summarized(4), planned(4, 25, 3), summarized(5), planned(5, 60, 4));
    await append('run', event(RUN_COMPLETED));
    const events = await fed(4);
    const figures = events.map(({ id, event: { event: kind, logical, outcome } }) => ({
      id,
      kind,
      logical: Object.values(logical as JsonObject).slice(0, 2),
      elapsed: (outcome as JsonObject)['elapsed_ms'],
    }));
    expect(figures).toEqual([
      { id: 'run:evt-run-11', kind: 'worker_completed', logical: [0.6, null], elapsed: 11_000 },
      { id: 'run:evt-run-2', kind: 'budget_transition', logical: [0.5, 1], elapsed: null },
      { id: 'run:evt-run-7', kind: 'budget_transition', logical: [0.25, 1], elapsed: null },
      { id: 'run:evt-run-9', kind: 'budget_transition', logical: [0.6, 1], elapsed: null },
    ]);
  });

  it('knows no occupancy of a compaction whose window is not the next one', async () => {
    await feed();
    await append('run', summarized(2), planned(3, 50, 1), summarized(4));
    const occupancies = (await fed(2)).map(
      ({ event: { logical } }) => Object.values(logical as JsonObject)[0],
    );
    expect(occupancies).toEqual([null, null]);
  });

  it.each([RUN_COMPLETED, RUN_FAILED, RUN_CANCELLED])('takes %s for an end', async (type) => {
    await feed();
    await append('run', event(type));
    const [recorded] = await fed(1);
    expect(recorded?.event).toMatchObject({ event: 'worker_completed', logical: { compaction_count: null } });
  });

  it('records nothing more for notices that come again, to whichever instance', async () => {
    await feed();
    await feed();
    await append('run', usage(), usage(), event(RUN_COMPLETED));
    await tell();
    await tell({ from: LOG_START });
    const again = await fed(3);
    expect(again.map(({ id }) => id)).toEqual(['run:evt-run-1', 'run:evt-run-2', 'run:evt-run-3']);
    await tell({ from: LOG_START });
    expect(await fed(3)).toEqual(again);
  });

  it('is not told of a replay: its source was billed', async () => {
    await feed();
    await append('run', usage(), event(RUN_COMPLETED));
    await fork('replay', { runId: 'run', fromSequence: 0, mode: 'replay' }, new Date(BEGAN));
    const range = { fromRunId: 'run', fromSequence: 0, toSequence: 2 };
    await log.reEmit({ tenantId: TENANT, runId: 'replay', ...range, at: new Date(BEGAN) });
    expect((await fed(2)).map(({ id }) => id)).toEqual(['run:evt-run-1', 'run:evt-run-2']);
  });

  it('is told of a branch from where its own events begin', async () => {
    await feed();
    await append('run', summarized(1), planned(1, 10, 1), summarized(2), planned(2, 20, 2));
    await fork('branch', { runId: 'run', fromSequence: 5, mode: 'branch' }, new Date(BEGAN + 4000));
    // The source's last window is planned again, under other settings: with a summary of its own instead.
    await append('branch', summarized(2), planned(2, 30, 2), summarized(3), planned(3, 40, 3));
    await append('branch', event(RUN_COMPLETED));
    const events = await fed(5);
    const ends = events.filter(({ event: { event: kind } }) => kind === 'worker_completed');
    expect(ends).toEqual([
      {
        id: 'run:evt-branch-9',
        event: expect.objectContaining({
          logical: expect.objectContaining({ estimated_context_occupancy: 0.4, compaction_count: null }),
          outcome: expect.objectContaining({ elapsed_ms: 5000 }),
        }),
      },
    ]);
    expect(events).toHaveLength(5);
  });

  it('takes the first summary of a branch for a compaction of its own', async () => {
    await feed();
    await append('run', summarized(2), summarized(2), planned(2, 20, 2));
    await fork('branch', { runId: 'run', fromSequence: 2, mode: 'branch' }, new Date(BEGAN));
    await append('branch', summarized(2), summarized(2), planned(2, 30, 3));
    expect((await fed(2)).map(({ id }) => id)).toEqual(['run:evt-branch-2', 'run:evt-run-1']);
  });

  it('knows no window of a branch that planned none', async () => {
    await feed();
    await append('run', planned(1, 10, 4));
    await fork('branch', { runId: 'run', fromSequence: 2, mode: 'branch' }, new Date(BEGAN));
    await append('branch', event(RUN_COMPLETED));
    const logical = (await fed(1))[0]?.event['logical'];
    expect(logical).toMatchObject({ estimated_context_occupancy: null, compaction_count: null });
  });

  it('tells of a run without a transcript what is known', async () => {
    await feed();
    const started = event(RUN_STARTED, { workflowId: 'w' });
    const run = { tenantId: TENANT, runId: 'run', at: new Date(BEGAN), workflowId: 'w' };
    await log.append({
      ...run,
      expectedHead: 'no-run',
      events: [started, planned(1, 10, 0), event(RUN_COMPLETED)],
    });
    const [recorded] = await fed(1);
    expect(recorded?.event).toMatchObject({
      logical: { estimated_context_occupancy: null, compaction_count: null },
      outcome: { elapsed_ms: 0 },
    });
  });
});

describe('the time that a run took', () => {
  const suspended = event(NODE_SUSPENDED, { nodeId: 'n', interruptId: 'i', kind: 'approval', key: 'k' });
  const resumed = event(NODE_RESUMED, { nodeId: 'n', interruptId: 'i' });
  const noted = event('test.noted');
  const elapsedOf = async () => {
    const ends = (await fed(1)).filter(({ event: { event: kind } }) => kind === 'worker_completed');
    return ends.map(({ event: { outcome } }) => (outcome as JsonObject)['elapsed_ms']);
  };

  it.each<[string, string, readonly NewRunEvent[], number | null]>([
    ['is all of it where it waited for nobody', RUN_COMPLETED, [noted, noted], 3000],
    ['is unknown where it waited meanwhile', RUN_COMPLETED, [suspended, resumed], null],
    ['is none of a run that failed', RUN_FAILED, [noted, noted], null],
    ['is none of a run that was cancelled', RUN_CANCELLED, [noted, noted], null],
  ])('%s', async (_name, end, events, elapsed) => {
    await feed();
    await append('run', ...events);
    await append('run', event(end));
    expect(await elapsedOf()).toEqual([elapsed]);
  });

  it.each([
    [0, 0],
    [1234, 1234],
    [-1, null],
    [0.5, null],
    ['5', null],
  ])('is what the state of a workflow says, as far as it can: %p', async (activeMs, elapsed) => {
    await feed();
    const start = { tenantId: TENANT, runId: 'run', at: new Date(BEGAN), workflowId: 'w' };
    const events = [event(RUN_STARTED, { workflowId: 'w' }), suspended, resumed, event(RUN_COMPLETED)];
    await log.append({ ...start, expectedHead: 'no-run', events, header: { state: { ...STATE, activeMs } } });
    expect(await elapsedOf()).toEqual([elapsed]);
  });

  it.each<[string, number, readonly NewRunEvent[], number | null]>([
    ['its source waited before', 3, [noted], 1000],
    ['it waited itself', 1, [suspended, resumed], null],
    ['its source waits where it begins', 2, [resumed], null],
  ])('of a branch is its own: %s', async (_name, fromSequence, own, elapsed) => {
    await feed();
    await append('run', suspended, resumed);
    const origin: ForkOrigin = { runId: 'run', fromSequence, mode: 'branch' };
    const state = { ...STATE, activeMs: 77 };
    await log.fork({ tenantId: TENANT, runId: 'branch', origin, at: at(2), status: 'running', state });
    const place = { tenantId: TENANT, runId: 'branch', header: { state } };
    const head = fromSequence - 1;
    await log.append({ ...place, at: at(2), expectedHead: head, events: own });
    await log.append({
      ...place,
      at: at(3),
      expectedHead: head + own.length,
      events: [event(RUN_COMPLETED)],
    });
    expect(await elapsedOf()).toEqual([elapsed]);
  });

  const at = (seconds: number) => new Date(BEGAN + seconds * 1000);
});

describe('what the feed cannot take', () => {
  const notice = (rest: JsonObject = {}): JsonObject => ({
    tenantId: TENANT,
    eventId: 'evt-run-1',
    runId: 'run',
    type: PROVIDER_USAGE,
    timestamp: new Date(BEGAN).toISOString(),
    sequence: 1,
    schemaVersion: 1,
    ...rest,
  });

  it.each<[string, JsonValue, string]>([
    ['a notice that is none', 'words', 'validation_error'],
    ['a notice of no place', notice({ sequence: -1 }), 'validation_error'],
    ['a run that is not there', notice({ runId: 'gone', eventId: 'evt-gone-1' }), 'not_found'],
    ['a run of another tenant', notice({ tenantId: 'other' }), 'not_found'],
    ['an event that is not there', notice({ sequence: 9, eventId: 'evt-run-9' }), 'not_found'],
    ['an event of another id', notice({ eventId: 'evt-run-2' }), 'not_found'],
    ['an event of another type', notice({ type: RUN_COMPLETED }), 'not_found'],
    ['usage that is none', notice({ sequence: 2, eventId: 'evt-run-2' }), 'validation_error'],
  ])('is a dead letter: %s', async (_name, body, code) => {
    await feed();
    await append('run', usage(), event(PROVIDER_USAGE, { provider: 'anthropic', note: 'private words' }));
    await publish(body);
    const letters = await waitUntil(async () => {
      const dead = await bus.deadLetters(STREAMS.runEvents, 10);
      return dead.length > 0 && dead;
    });
    expect(letters).toMatchObject([{ code, attempts: 1, durable: 'lineage-registry-telemetry' }]);
    expect(JSON.stringify(letters)).not.toContain('private words');
  });

  it('does not keep others from being taken', async () => {
    await feed();
    await publish('words');
    await append('run', usage());
    expect(await fed(1)).toHaveLength(1);
  });

  it('waits on the bus while the log is away', async () => {
    let away = 3;
    const headerWhenBack: EventLog['header'] = async (tenantId, runId) => {
      away -= 1;
      if (away >= 0) throw new ServiceUnavailableError('The log', { retryAfterMs: 1 });
      return log.header(tenantId, runId);
    };
    const eventLog = { header: headerWhenBack, readRun: log.readRun.bind(log) };
    await feed({ eventLog, retries: { maxAttempts: 1, maxRetryableAttempts: 9, retryBaseMs: 1 } });
    await append('run', usage());
    expect(await fed(1)).toHaveLength(1);
    expect(away).toBeLessThan(0);
    expect(await bus.deadLetters(STREAMS.runEvents, 10)).toEqual([]);
  });

  it('asks the log nothing of events it does not tell of', async () => {
    let asked = 0;
    const header: EventLog['header'] = (tenantId, runId) => {
      asked += 1;
      return log.header(tenantId, runId);
    };
    await feed({ eventLog: { header, readRun: log.readRun.bind(log) } });
    await append('run', event('test.noted'), planned(1, 1, 0), event('palimpsest.message.appended'));
    await fed(0);
    expect(asked).toBe(1);
  });

  it('stays on the bus for the next life where the feed is closed', async () => {
    const first = await feed();
    await first.close();
    await append('run', usage());
    await tell();
    await feed();
    expect(await fed(1)).toHaveLength(1);
  });
});
