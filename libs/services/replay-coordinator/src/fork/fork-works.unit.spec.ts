import { RE_EMIT_EVENTS } from '@palimpsest/contracts';
import type { RacePoints } from '@palimpsest/kernel';
import {
  FORK_COMPLETE,
  FORK_LINKED,
  FORK_ROW_WRITTEN,
  JOB_RECORDED,
  PAGE_READ,
  PAGE_WRITTEN,
} from '../race-points.js';
import { CoordinatorHarness, FORK, killedAt } from '../testing/coordinator-harness.js';
import { SOURCE, TENANT } from '../testing/source-run.js';

const MESSAGES = 3 * RE_EMIT_EVENTS + 500;

let harness: CoordinatorHarness;
let summary: string;

/** Four stretches: more than a fork re-emits before it answers. */
beforeEach(async () => {
  harness = new CoordinatorHarness();
  const { source } = harness;
  source.start();
  summary = await source.summary();
  await source.messages(MESSAGES);
  await source.finish().write();
});

async function expectWhole(): Promise<void> {
  const [replayed, recorded] = await Promise.all([harness.events(), harness.events(SOURCE)]);
  expect(replayed.map(({ payload }) => payload)).toEqual(recorded.map(({ payload }) => payload));
  const [fork, source] = await Promise.all([harness.header(), harness.header(SOURCE)]);
  expect(fork).toMatchObject({ status: 'completed', head: source?.head });
  expect(fork?.state).toEqual({ ...source?.state, replayTarget: source?.head });
  expect(await harness.artifacts.getForRun(TENANT, FORK, summary)).toBeDefined();
  expect(await harness.openJobs()).toEqual([]);
}

/** Resumes when `count` are waiting at a point together. */
function meetingAt(point: string, count: number): RacePoints {
  const waiting: (() => void)[] = [];
  return {
    reach: (name) =>
      name !== point || waiting.length >= count
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting.push(resolve);
            if (waiting.length === count) waiting.forEach((goOn) => goOn());
          }),
  };
}

describe('a long replay', () => {
  it('is answered before it is whole, and goes on behind the answer', async () => {
    const coordinator = harness.coordinator();
    await coordinator.fork({ mode: 'replay' });
    expect(await harness.header()).toMatchObject({ status: 'running', head: 2 * RE_EMIT_EVENTS - 1 });
    await coordinator.works.resume(new Date(harness.now.getTime() + 1));
    await expectWhole();
  });

  it.each([
    ['before the fork has a run', JOB_RECORDED, 1],
    ['before it is linked', FORK_ROW_WRITTEN, 1],
    ['before its first page', FORK_LINKED, 1],
    ['with a page in hand', PAGE_READ, 2],
    ['between pages', PAGE_WRITTEN, 2],
  ])('that was killed %s is finished by the next life', async (_, point, time) => {
    const killed = harness.coordinator(killedAt(point, time));
    await expect(killed.fork({ mode: 'replay' })).rejects.toThrow('killed');
    expect(await harness.openJobs()).toHaveLength(1);
    await harness.coordinator().works.resume(new Date(harness.now.getTime() + 1));
    await expectWhole();
  });

  it.each([
    ['in the background', PAGE_READ, 3],
    ['before its job was closed', FORK_COMPLETE, 1],
  ])('that was killed %s is finished by the next life', async (_, point, time) => {
    const killed = harness.coordinator(killedAt(point, time));
    await killed.fork({ mode: 'replay' });
    await killed.works.close();
    expect(await harness.openJobs()).toHaveLength(1);
    await harness.coordinator().works.resume(new Date(harness.now.getTime() + 1));
    await expectWhole();
  });

  it('that was killed is finished by the same request, too', async () => {
    await expect(harness.coordinator(killedAt(PAGE_WRITTEN, 2)).fork({ mode: 'replay' })).rejects.toThrow();
    const coordinator = harness.coordinator();
    await coordinator.fork({ mode: 'replay' });
    await coordinator.works.resume(new Date(harness.now.getTime() + 1));
    await expectWhole();
  });

  it('has one winner a page where two coordinators are at work', async () => {
    await expect(harness.coordinator(killedAt(FORK_LINKED)).fork({ mode: 'replay' })).rejects.toThrow();
    const races = meetingAt(PAGE_READ, 2);
    const since = new Date(harness.now.getTime() + 1);
    const [one, other] = [harness.coordinator(races), harness.coordinator(races)];
    await Promise.all([one.works.resume(since), other.works.resume(since)]);
    await expectWhole();
  });

  it('stops between two pages when the process is to end', async () => {
    const coordinator = harness.coordinator();
    await coordinator.fork({ mode: 'replay' });
    await coordinator.works.close();
    const { head = 0 } = (await harness.header()) ?? {};
    expect((head + 1) % RE_EMIT_EVENTS).toBe(0);
    await harness.coordinator().works.resume(new Date(harness.now.getTime() + 1));
    await expectWhole();
  });
});

describe('a replay of a run that is older than the chains of the log', () => {
  it('is read and appended, to the same state', async () => {
    const { eventLog } = harness;
    const reEmit = eventLog.reEmit.bind(eventLog);
    // The first 700 events are old, as far as the log that re-emits is concerned.
    jest
      .spyOn(eventLog, 'reEmit')
      .mockImplementation((request) =>
        request.fromSequence < 700 ? Promise.resolve(false) : reEmit(request),
      );
    const coordinator = harness.coordinator();
    await coordinator.fork({ mode: 'replay' });
    await coordinator.works.resume(new Date(harness.now.getTime() + 1));
    await expectWhole();
  });
});

describe('a fork of a replay that is not complete', () => {
  it('has the state that the source of both had', async () => {
    await expect(harness.coordinator(killedAt(PAGE_WRITTEN, 2)).fork({ mode: 'replay' })).rejects.toThrow();
    const fromSeq = 2500;
    const { fork } = harness.coordinator();
    await fork({ mode: 'branch', runId: FORK, forkRunId: 'of-the-replay', fromSeq });
    await fork({ mode: 'branch', forkRunId: 'of-the-source', fromSeq });
    const [ofReplay, ofSource] = await Promise.all(
      ['of-the-replay', 'of-the-source'].map((id) => harness.header(id)),
    );
    expect(ofReplay?.state).toEqual(ofSource?.state);
  });
});

describe('jobs that are young', () => {
  it('are left to those at work on them', async () => {
    await expect(harness.coordinator(killedAt(FORK_LINKED)).fork({ mode: 'replay' })).rejects.toThrow();
    await harness.coordinator().works.resume(harness.now);
    expect(await harness.header()).toMatchObject({ status: 'pending', head: -1 });
  });
});

describe('a branch from 0 that was killed', () => {
  it('has no run.started until it is finished', async () => {
    await expect(
      harness.coordinator(killedAt(FORK_LINKED)).fork({ mode: 'branch', fromSeq: 0 }),
    ).rejects.toThrow();
    expect(await harness.header()).toMatchObject({ status: 'pending', head: -1, state: { replayTarget: 0 } });
    await harness.coordinator().works.resume(new Date(harness.now.getTime() + 1));
    expect(await harness.header()).toMatchObject({ status: 'running', head: 0 });
  });
});
