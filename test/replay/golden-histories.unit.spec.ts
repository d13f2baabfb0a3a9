import {
  CONTEXT_SUMMARIZED,
  EVENT_PAYLOAD_SCHEMAS,
  WINDOW_PLANNED,
  type RecordedEvent,
} from '@palimpsest/contracts';
import { countAll } from '@palimpsest/tokens';
import { LOOP_TURN_TYPES, renderMessage } from '@palimpsest/transcript';
import { runStatusOf } from '@palimpsest/workflow';
import { deriveAgain, feed } from './derive-again.js';
import { engineAgain, folded } from './engine-again.js';
import {
  comparable,
  comparableBetweenRuns,
  historyNames,
  isOwnLoop,
  messageOf,
  readHistory,
  runIdOf,
  wholeLog,
  type History,
} from './history.js';
import { MemoryHost } from './memory-host.js';

const BRANCHES = 4;

describe.each(historyNames())('the golden history %s', (name) => {
  const history = readHistory(name);
  const whole = wholeLog(history);
  const runId = runIdOf(history);
  const windows = whole.filter(({ type }) => type === WINDOW_PLANNED).length;
  let host: MemoryHost;

  beforeAll(async () => {
    host = await MemoryHost.start(isOwnLoop(history) ? history.host : {});
    await deriveAgain(host, history);
  }, 60_000);
  afterAll(() => host.close());

  it('is dense, and holds payloads as they are specified', () => {
    expect(whole.map(({ sequence }) => sequence)).toEqual(whole.map((_, place) => place));
    const problems = whole.flatMap(({ type, payload }) => {
      const parsed = EVENT_PAYLOAD_SCHEMAS[type]?.safeParse(payload);
      return parsed?.success === true ? [] : [type];
    });
    expect(problems).toEqual([]);
  });

  it('has counts on exactly what stands in its transcript', () => {
    const counted = whole.filter(({ counts }) => counts !== undefined);
    const told = counted.filter((event) => messageOf(sourceOf(history, event), event));
    expect(told).toEqual(counted);
    expect(told.map((event) => countsAgain(sourceOf(history, event), event))).toEqual(
      counted.map(({ counts }) => counts),
    );
    if (isOwnLoop(history)) return;
    const turns: readonly string[] = LOOP_TURN_TYPES;
    expect(counted.filter(({ type }) => !turns.includes(type))).toEqual([]);
    const decisions = whole.filter(({ type }) => type === 'runOrchestrator.decided');
    expect(decisions.filter(({ counts }) => counts === undefined)).toEqual([]);
  });

  it('is recorded again by a new host, event by event', async () => {
    const again = await host.events(runId);
    const { fork } = isOwnLoop(history) ? history : {};
    const [left, right] = fork
      ? [comparableBetweenRuns(again), comparableBetweenRuns(whole)]
      : [comparable(again), comparable(whole)];
    expect(left).toEqual(right);
  });

  it('verifies, all its windows', async () => {
    if (!hasWindows(history)) return expect(windows).toBe(0);
    expect(await host.verify(runId)).toMatchObject({ ok: true, windowsChecked: windows });
  }, 60_000);

  it('is replayed, from the start and from within', async () => {
    for (const fromSeq of [0, Math.floor(whole.length / 2)]) {
      const forkRunId = `${runId}-replay-${fromSeq}`;
      await host.fork({ runId, forkRunId, mode: 'replay', fromSeq });
      const [replayed, source] = await Promise.all([host.events(forkRunId), host.events(runId)]);
      expect(replayed.map(facts)).toEqual(source.map(facts));
      const [state, sourceState] = await Promise.all([host.header(forkRunId), host.header(runId)]);
      expect(state.status).toBe(sourceState.status);
      expect(flagsIn(state)).toEqual(flagsIn(sourceState));
      const repeated = source.slice(fromSeq);
      const numberOf = (type: string): number => repeated.filter((event) => event.type === type).length;
      const again = { windows: numberOf(WINDOW_PLANNED), summaries: numberOf(CONTEXT_SUMMARIZED) };
      const comparedWith = { runId, sharedEvents: fromSeq, events: repeated.length, ...again };
      expect(await host.verify(forkRunId)).toMatchObject({
        ok: true,
        windowsChecked: windows,
        summarizerCalls: 0,
        comparedWith,
      });
    }
  }, 60_000);

  it('is branched at several places, derived as its source is', async () => {
    for (const fromSeq of placesOf(whole)) {
      const forkRunId = `${runId}-branch-${fromSeq}`;
      await host.fork({ runId, forkRunId, mode: 'branch', fromSeq });
      const source = await host.events(runId);
      const shared = source.slice(0, fromSeq).map(facts);
      expect((await host.events(forkRunId)).map(facts)).toEqual(shared);
      const branch = await host.header(forkRunId);
      expect(flagsIn(branch)).toEqual(flagsIn(await host.header(runId)));
      if (isOwnLoop(history)) await host.plan(forkRunId, { asOfSequence: branch.head });
      if (hasWindows(history)) expect(await host.verify(forkRunId)).toMatchObject({ ok: true });
    }
  }, 60_000);
});

describe.each(historyNames().filter((name) => !isOwnLoop(readHistory(name))))(
  'the golden history %s of an executed run',
  (name) => {
    const history = readHistory(name);
    if (isOwnLoop(history)) throw new TypeError('Its loop is its own.');

    it('is decided again by the engine, event by event', () => {
      // whoever appends counts what is said
      const [again, recorded] = [engineAgain(history).events, history.events].map(withoutCounts);
      expect(comparable(again ?? [])).toEqual(comparable(recorded ?? []));
    });

    it('folds to one state, whoever folds it', () => {
      const state = folded(undefined, history.events);
      expect(engineAgain(history).state).toEqual(state);
      expect(runStatusOf(state)).toMatch(/^(completed|failed)$/);
    });
  },
);

describe.each(
  historyNames().filter((name) => {
    const history = readHistory(name);
    return isOwnLoop(history) && history.fork?.mode !== 'replay';
  }),
)('a branch of the golden history %s', (name) => {
  const history = readHistory(name);
  const whole = wholeLog(history);
  const runId = runIdOf(history);

  it('that hears the same has the same windows and summaries', async () => {
    const host = await MemoryHost.start(isOwnLoop(history) ? history.host : {});
    await deriveAgain(host, history);
    const forkRunId = `${runId}-again`;
    const first = history.events[0]?.sequence ?? 0;
    const fromSeq = placeBetween(whole, first + Math.floor(history.events.length / 2));
    await host.fork({ runId, forkRunId, mode: 'branch', fromSeq });
    await feed(host, history, { runId: forkRunId, events: whole.slice(fromSeq) });
    const again = await host.events(forkRunId);
    expect(comparableBetweenRuns(again)).toEqual(comparableBetweenRuns(whole));
    await host.close();
  }, 60_000);
});

describe('the golden histories together', () => {
  const all = historyNames().map(readHistory);

  it('show what runs may hold', () => {
    const events = all.flatMap(wholeLog);
    const holds = (wanted: (event: RecordedEvent) => boolean): boolean => events.some(wanted);
    const types = new Set(events.map(({ type }) => type));
    expect([...types]).toEqual(
      expect.arrayContaining([
        'palimpsest.pin.removed',
        'palimpsest.instruction.added',
        'node.retried',
        'node.failed',
        'approval.received',
        'clarification.resolved',
        'run.failed',
        'core.workflowChain.event',
      ]),
    );
    for (const member of ['cuts', 'elided', 'islands', 'pending', 'pins'])
      expect([member, holds(({ payload }) => lengthOf(payload[member]) > 0)]).toEqual([member, true]);
    const isMerge = ({ payload }: RecordedEvent): boolean => lengthOf(payload['summarySequences']) > 2;
    expect(holds(isMerge)).toBe(true);
  });

  it('are of every strategy and counter, and most have many summaries', () => {
    const contexts = all.flatMap((history) => contextOf(history) ?? []);
    expect(new Set(contexts.map(({ strategy }) => strategy))).toEqual(
      new Set(['none', 'sliding-window', 'recursive', 'map-reduce']),
    );
    expect(new Set(contexts.map(({ tokenCounter }) => tokenCounter))).toEqual(
      new Set(['o200k_base', 'cl100k_base', 'chars']),
    );
    const many = all.filter(
      (history) => wholeLog(history).filter(({ type }) => type === 'context.summarized').length >= 10,
    );
    expect(many.length).toBeGreaterThanOrEqual(5);
  });
});

type Context = { readonly strategy: string; readonly tokenCounter: string };

function contextOf(history: History): Context | undefined {
  const payload = wholeLog(history)[0]?.payload as {
    readonly context?: Context;
    readonly configurable?: { readonly context?: Context };
  };
  return payload.context ?? payload.configurable?.context;
}

function hasWindows(history: History): boolean {
  return contextOf(history) !== undefined;
}

/** The history that has what an event of the run says: its own, or that of a source. */
function sourceOf(history: History, event: RecordedEvent): History {
  if (!isOwnLoop(history) || !history.fork) return history;
  const isOwn = event.sequence >= history.fork.fromSequence && history.fork.mode === 'branch';
  return isOwn ? history : sourceOf(readHistory(history.fork.of), event);
}

function countsAgain(history: History, event: RecordedEvent): RecordedEvent['counts'] {
  const message = messageOf(history, event);
  return message && countAll(renderMessage(message));
}

function withoutCounts(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  return events.map(({ counts: _counts, ...event }) => event);
}

function facts({ sequence, type, nodeId, payload, counts, schemaVersion }: RecordedEvent): object {
  return { sequence, type, nodeId, payload, counts, schemaVersion };
}

function flagsIn({ state }: { readonly state: object }): unknown {
  return (state as { readonly replayFlags?: unknown }).replayFlags;
}

/** Evenly over the log; before, at and behind a summary; and the last place that a branch may begin at. */
function placesOf(events: readonly RecordedEvent[]): readonly number[] {
  const last = events.length - 1;
  const spread = Array.from({ length: BRANCHES }, (_, at) => Math.ceil((last * (at + 1)) / BRANCHES));
  const summary = events.findLast(({ type }) => type === 'context.summarized')?.sequence ?? 1;
  return [...new Set([...spread, summary, summary + 1, summary + 2])].filter(
    (place) => place >= 1 && place <= last,
  );
}

/** From there on, the first place with no summary before it that waits for its window. */
function placeBetween(events: readonly RecordedEvent[], from: number): number {
  return events.findIndex(({ type }, at) => at > from && type === 'palimpsest.message.appended');
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}
