import fc from 'fast-check';
import {
  foldOwnLoop,
  RUN_OVERLAID,
  TOKEN_COUNTERS,
  type JsonObject,
  type OwnLoopState,
  type RecordedEvent,
  type RunOverlay,
} from '@palimpsest/contracts';
import type { RacePoints } from '@palimpsest/kernel';
import { unspoken } from '../domain/rewind-own-loop.js';
import { FORK_COMPLETE, FORK_LINKED, FORK_ROW_WRITTEN, JOB_RECORDED } from '../race-points.js';
import { CoordinatorHarness, FORK, killedAt } from '../testing/coordinator-harness.js';
import { expectRowOfLog } from '../testing/expect-row-of-log.js';
import { SOURCE, TENANT } from '../testing/source-run.js';
import { stateAt } from './state-at.js';

const context = {
  transcriptTokenBudget: 900,
  tokenCounter: 'o200k_base',
  keepLastTurns: 2,
  strategy: 'none',
} as const;
const overlay: RunOverlay = { context, configurable: { model: 'm' }, tags: ['branch'] };

let harness: CoordinatorHarness;
let middle: number;

/** start, instruction, user, call, pin | result, user */
afterEach(() => expectRowOfLog(harness));
beforeEach(async () => {
  harness = new CoordinatorHarness();
  const { source } = harness;
  await source.start().instruction();
  await source.message('user');
  await source.message('assistant', ['a']);
  source.pin('pin_a');
  middle = source.length;
  await source.message('tool', ['a'], 3);
  await source.message('user');
  await source.write();
});

const branch = (fromSeq = middle, races?: RacePoints) =>
  harness.coordinator(races).fork({ mode: 'branch', fromSeq, overlay });

const folded = (events: readonly RecordedEvent[], from: OwnLoopState): OwnLoopState =>
  events.reduce(foldOwnLoop, from);

async function expectOverlaid(): Promise<void> {
  const [events, header] = [await harness.events(), await harness.header()];
  const overlaid = events.filter(({ type }) => type === RUN_OVERLAID);
  expect(overlaid).toMatchObject([{ sequence: middle, payload: overlay }]);
  expect(header).toMatchObject({ status: 'running', head: middle });
  expect(header?.state).not.toHaveProperty('replayTarget');
  expect(await harness.openJobs()).toEqual([]);
}

describe('a branch with an overlay', () => {
  it('records it as its first own event, with what was said before in its unit', async () => {
    await branch();
    await expectOverlaid();
    const events = await harness.events();
    const before = harness.events(SOURCE);
    expect(events.slice(0, middle).map(({ payload }) => payload)).toEqual(
      (await before).slice(0, middle).map(({ payload }) => payload),
    );
    expect(events[middle]?.payload).toEqual({
      ...overlay,
      transcriptTokens: 4,
      instructionTokens: 2,
      pins: { pin_a: { sequence: 4, tokens: 2 } },
    });
    expect((await harness.header())?.state).toMatchObject({
      ...overlay,
      configurable: { model: 'm', context },
      transcriptTokens: 4,
      openCalls: { a: 3 },
      messageCount: 3,
      lastMessageSequence: 3,
    });
  });

  it('says no more than what changes where the unit does not', async () => {
    const tighter = { context: { ...context, tokenCounter: 'chars' as const } };
    await harness.coordinator().fork({ mode: 'branch', fromSeq: middle, overlay: tighter });
    expect((await harness.events())[middle]?.payload).toEqual(tighter);
    const tagged = { mode: 'branch' as const, fromSeq: middle, overlay: { tags: [] }, forkRunId: 'tagged' };
    await harness.coordinator().fork(tagged);
    expect((await harness.events('tagged'))[middle]?.payload).toEqual({ tags: [] });
    expect((await harness.header('tagged'))?.state).toMatchObject({ tags: [], transcriptTokens: 10 });
  });

  it('from 0 starts as its source did, and then differs', async () => {
    await branch(0);
    const [events, [started]] = [await harness.events(), await harness.events(SOURCE)];
    expect(events.map(({ payload }) => payload)).toEqual([
      started?.payload,
      { ...overlay, transcriptTokens: 0, instructionTokens: 0 },
    ]);
    expect(await harness.header()).toMatchObject({ status: 'running', head: 1, state: { context } });
    expect((await harness.header())?.state).not.toHaveProperty('replayTarget');
  });

  it.each([JOB_RECORDED, FORK_ROW_WRITTEN, FORK_LINKED])(
    'killed at %s is not complete before it is there, and resumed',
    async (point) => {
      await expect(branch(middle, killedAt(point))).rejects.toThrow('killed');
      const header = await harness.header();
      if (point !== JOB_RECORDED)
        expect(header).toMatchObject({
          status: 'pending',
          head: middle - 1,
          state: { replayTarget: middle },
        });
      expect(await harness.openJobs()).toHaveLength(1);
      await harness.coordinator().works.resume(new Date(harness.now.getTime() + 1));
      await expectOverlaid();
    },
  );

  it('killed after it is recorded does not record it twice', async () => {
    await expect(branch(middle, killedAt(FORK_COMPLETE))).rejects.toThrow('killed');
    await branch();
    await expectOverlaid();
  });

  it('made by two at once has one overlay', async () => {
    await Promise.all([
      branch(),
      branch(),
      harness.coordinator().fork({ mode: 'branch', fromSeq: middle, overlay }),
    ]);
    await expectOverlaid();
  });

  it('is another fork than one with another overlay, or none', async () => {
    await branch();
    await expect(branch()).resolves.toMatchObject({ runId: FORK });
    const conflict = expect.objectContaining({ code: 'sequence_conflict' });
    const asked = { mode: 'branch' as const, fromSeq: middle };
    await expect(harness.coordinator().fork(asked)).rejects.toEqual(conflict);
    await expect(harness.coordinator().fork({ ...asked, overlay: { ...overlay, tags: [] } })).rejects.toEqual(
      conflict,
    );
    await expect(
      harness.coordinator().fork({ mode: 'replay', overlay, forkRunId: 'other' }),
    ).rejects.toMatchObject({ code: 'validation_error' });
  });
});

describe('a branch that is asked for again', () => {
  const asked = { mode: 'branch' as const, overlayDigest: 'a'.repeat(64) };
  const conflict = expect.objectContaining({ code: 'sequence_conflict' });

  it.each([JOB_RECORDED, FORK_LINKED])(
    'after it was killed at %s has the overlay that was allowed, whatever it would be resolved to by now',
    async (point) => {
      const fromSeq = middle;
      const killed = harness.coordinator(killedAt(point)).fork({ ...asked, fromSeq, overlay });
      await expect(killed).rejects.toThrow('killed');
      const { fork, forkAgain } = harness.coordinator();
      expect(await forkAgain({ ...asked, fromSeq })).toMatchObject({ forked: { runId: FORK, fromSeq } });
      await expectOverlaid();
      await fork({ ...asked, fromSeq, overlay: { ...overlay, tags: ['otherwise'] } });
      await expectOverlaid();
    },
  );

  it('is another fork where something else was asked', async () => {
    const fromSeq = middle;
    await harness.coordinator().fork({ ...asked, fromSeq, overlay });
    const { fork, forkAgain } = harness.coordinator();
    const other = { ...asked, fromSeq, overlayDigest: 'b'.repeat(64) };
    await expect(forkAgain(other)).rejects.toEqual(conflict);
    await expect(fork({ ...other, overlay })).rejects.toEqual(conflict);
    await expect(forkAgain({ ...asked, fromSeq: 1 })).rejects.toEqual(conflict);
  });

  it('is unknown where none was allowed, or by one who did not note what was asked', async () => {
    const { fork, forkAgain } = harness.coordinator();
    expect(await forkAgain({ ...asked, fromSeq: middle })).toEqual({});
    await branch();
    expect(await forkAgain({ ...asked, fromSeq: middle })).toEqual({});
    expect(await fork({ ...asked, fromSeq: middle, overlay })).toMatchObject({ runId: FORK });
    expect(await harness.header()).toMatchObject({ head: middle });
  });
});

describe('a fork of a branch with an overlay', () => {
  /** The branch goes on with two turns and a pin. */
  async function goneOn(): Promise<readonly RecordedEvent[]> {
    await branch();
    const header = await harness.header();
    const payload = { role: 'user', artifactId: 'x', toolCallIds: [] };
    const counts = { o200k_base: 7, cl100k_base: 8, chars: 9 };
    const said = { type: 'palimpsest.message.appended', payload, schemaVersion: 1, counts };
    const events = [
      said,
      { ...said, type: 'palimpsest.pin.added', payload: { pinId: 'pin_b', artifactId: 'y' } },
      said,
    ];
    const state = events.reduce(
      (now, event, index) => foldOwnLoop(now, { ...event, sequence: middle + 1 + index }),
      header?.state as unknown as OwnLoopState,
    );
    await harness.eventLog.append({
      tenantId: TENANT,
      runId: FORK,
      expectedHead: middle,
      at: harness.now,
      events,
      header: { state: state as unknown as JsonObject },
    });
    return harness.events();
  }

  it('stands under the settings of its place: the source’s below the overlay, the branch’s from there', async () => {
    const events = await goneOn();
    const source = await harness.header(SOURCE);
    const start = unspoken(source?.state as unknown as OwnLoopState);
    const header = await harness.header();
    if (!header) throw new TypeError('the branch is there');
    for (let place = 0; place <= events.length; place += 1)
      expect(await stateAt(harness.eventLog, header, place)).toEqual(folded(events.slice(0, place), start));
  });

  it('also where a replay has repeated it, whole or not yet', async () => {
    const events = await goneOn();
    const replay = { mode: 'replay' as const, runId: FORK, fromSeq: 2 };
    await harness.coordinator().fork({ ...replay, forkRunId: 'replay' });
    expect((await harness.events('replay')).map(({ payload }) => payload)).toEqual(
      events.map(({ payload }) => payload),
    );
    await expect(
      harness.coordinator(killedAt(FORK_LINKED)).fork({ ...replay, forkRunId: 'half' }),
    ).rejects.toThrow('killed');
    const source = await harness.header(SOURCE);
    const start = unspoken(source?.state as unknown as OwnLoopState);
    for (const [runId, last] of [
      ['replay', events.length],
      ['half', 2],
    ] as const) {
      const header = await harness.header(runId);
      if (!header) throw new TypeError('the replay is there');
      for (let place = 0; place <= last; place += 1)
        expect(await stateAt(harness.eventLog, header, place)).toEqual(folded(events.slice(0, place), start));
    }
    const state = (await harness.header('replay'))?.state;
    expect(state).toEqual({ ...folded(events, start), replayTarget: events.length - 1 });
  });

  it('may have an overlay of its own, in any unit, at any place', async () => {
    const events = await goneOn();
    const source = await harness.header(SOURCE);
    const start = unspoken(source?.state as unknown as OwnLoopState);
    let forks = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.nat(events.length),
        fc.constantFrom(...TOKEN_COUNTERS),
        async (fromSeq, tokenCounter) => {
          const forkRunId = `nested_${(forks += 1)}`;
          const own = { context: { ...context, tokenCounter, transcriptTokenBudget: 500 } };
          await harness.coordinator().fork({ mode: 'branch', runId: FORK, forkRunId, fromSeq, overlay: own });
          const [header, nested] = [await harness.header(forkRunId), await harness.events(forkRunId)];
          expect(header?.state).toEqual(folded(nested, start));
          const counted = nested.map(({ counts }) => counts?.[tokenCounter] ?? 0);
          const {
            transcriptTokens = 0,
            instructionTokens = 0,
            pins = {},
          } = header?.state as unknown as OwnLoopState;
          const pinned = Object.values(pins).reduce((sum, { tokens }) => sum + tokens, 0);
          expect(transcriptTokens + instructionTokens + pinned).toBe(counted.reduce((a, b) => a + b, 0));
        },
      ),
      { numRuns: 25 },
    );
  });
});
