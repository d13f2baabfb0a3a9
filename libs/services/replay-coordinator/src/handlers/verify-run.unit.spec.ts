import type { Verification } from '@palimpsest/contracts';
import { noRacePoints, type AppendRequest } from '@palimpsest/kernel';
import { CoordinatorHarness, FORK, killedAt } from '../testing/coordinator-harness.js';
import { PAGE_READ } from '../race-points.js';
import { SOURCE, TENANT } from '../testing/source-run.js';
import { standingOf } from '../testing/standing-of.js';
import { verifyRun } from './verify-run.js';

const SAYS = 'it says something else than the source’s';
const TYPE = 'it is of another type than the source’s';

let harness: CoordinatorHarness;
let summary: string;

beforeEach(async () => {
  harness = new CoordinatorHarness();
  const { source } = harness;
  source.start();
  await source.message('user');
  summary = await source.summary();
  await source.window(1, [2]);
  await source.message('user');
  await source.window(2, [2]);
  await source.write();
});

describe('verifying a run', () => {
  it('of its own is what the assembler says, and that its log is whole', async () => {
    const { link } = (await harness.header(SOURCE)) ?? {};
    expect(await harness.coordinator().verify(SOURCE)).toEqual({
      ...harness.verification,
      log: { eventsChecked: 6, chain: 'whole', link, artifacts: { readable: 5, erased: 0 } },
    });
  });

  it('says what was erased, which is no difference by itself', async () => {
    await harness.artifacts.erase(TENANT, summary);
    expect(await harness.coordinator().verify(SOURCE)).toMatchObject({
      ok: true,
      log: { chain: 'whole', artifacts: { readable: 4, erased: 1 } },
    });
  });

  it('without windows asks no assembler', async () => {
    const { eventLog, now: at } = harness;
    const events = [
      { type: 'run.started', schemaVersion: 1, payload: { artifactId: `art_${'x'.repeat(32)}` } },
    ];
    const start = { tenantId: TENANT, expectedHead: 'no-run', workflowId: 'flow', at, events } as const;
    const header = standingOf('flow', events, { at });
    await eventLog.append({ ...start, runId: 'plain', header });
    const origin = { runId: 'plain', fromSequence: 0, mode: 'replay' } as const;
    const state = { replayTarget: 0 };
    const repeated = standingOf('flow', events, { at, before: state });
    await eventLog.fork({ tenantId: TENANT, runId: FORK, origin, at, status: 'running', state });
    await eventLog.append({ tenantId: TENANT, runId: FORK, expectedHead: -1, at, events, header: repeated });
    const comparedWith = { runId: 'plain', sharedEvents: 0, events: 1, windows: 0, summaries: 0 };
    expect(await harness.coordinator().verify(FORK)).toMatchObject({ comparedWith });
    for (const runId of ['plain', FORK])
      expect(await harness.coordinator().verify(runId)).toMatchObject({
        ok: true,
        windowsChecked: 0,
        log: { eventsChecked: 1, chain: 'whole', artifacts: { readable: 0, erased: 0 } },
      });
    expect(harness.verified).toEqual([]);
  });

  it('tells the difference of the lowest sequence', async () => {
    const firstDifference = { iteration: 2, sequence: 5, what: 'token count' };
    harness.verification = { ...harness.verification, ok: false, firstDifference };
    expect(await harness.coordinator().verify(SOURCE)).toMatchObject({ ok: false, firstDifference });
    const cause = { type: 'test.noted', schemaVersion: 1, payload: {}, causationId: `evt-${SOURCE}-9` };
    const [early, late] = [1, 7].map((sequence) => ({ ...firstDifference, sequence }));
    const { eventLog, now: at } = harness;
    await eventLog.append({ tenantId: TENANT, runId: SOURCE, expectedHead: 5, at, events: [cause] });
    const known = { sequence: 6, what: 'its cause is no event before it' };
    for (const [own, told] of [
      [early, early],
      [late, known],
    ] as const) {
      if (own) harness.verification = { ...harness.verification, firstDifference: own };
      expect(await harness.coordinator().verify(SOURCE)).toMatchObject({
        ok: false,
        firstDifference: told,
        log: { eventsChecked: 6, chain: 'not checked' },
      });
    }
  });

  it('that is unknown is refused', async () => {
    await expect(harness.coordinator().verify('nobody')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('verifying a fork', () => {
  const comparedWith = { runId: SOURCE, sharedEvents: 0, events: 6, windows: 2, summaries: 1 };

  it('compares a replay with its source, and the text of all windows', async () => {
    const coordinator = harness.coordinator();
    await coordinator.fork({ mode: 'replay' });
    expect(await coordinator.verify(FORK)).toMatchObject({ ...harness.verification, comparedWith });
    expect(harness.verified).toEqual([FORK, SOURCE]);
  });

  it('leaves the text alone where the source has gone on', async () => {
    const coordinator = harness.coordinator();
    await coordinator.fork({ mode: 'replay' });
    await harness.source.finish().write();
    expect(await coordinator.verify(FORK)).toMatchObject({ ok: true, comparedWith });
    expect(harness.verified).toEqual([FORK]);
  });

  it('leaves it alone where the fork has gone on behind what it repeats', async () => {
    const coordinator = harness.coordinator();
    await coordinator.fork({ mode: 'replay' });
    const { eventLog, now: at } = harness;
    const events = [{ type: 'replay.diverged', schemaVersion: 1, payload: {} }];
    await eventLog.append({ tenantId: TENANT, runId: FORK, expectedHead: 5, at, events });
    expect(await coordinator.verify(FORK)).toMatchObject({ ok: true, comparedWith });
    expect(harness.verified).toEqual([FORK]);
  });

  it.each([FORK, SOURCE])('leaves it alone where %s goes on meanwhile', async (runId) => {
    await harness.coordinator().fork({ mode: 'replay' });
    const { eventLog, now: at } = harness;
    const events = [{ type: 'test.noted', schemaVersion: 1, payload: {} }];
    let verified = 0;
    const verify = async (): Promise<Verification> => {
      verified += 1;
      const windowsDigest = `as of another head, ${verified}`;
      if (verified === 2) await eventLog.append({ tenantId: TENANT, runId, expectedHead: 5, at, events });
      return { ...harness.verification, windowsDigest };
    };
    const ports = { ...harness.ports(noRacePoints), assembler: { verify } };
    const verification = await verifyRun(ports, { tenantId: TENANT, runId: FORK });
    expect([verified, verification]).toEqual([2, expect.objectContaining({ ok: true, comparedWith })]);
  });

  it('compares of a replay what it does not share', async () => {
    const coordinator = harness.coordinator();
    await coordinator.fork({ mode: 'replay', fromSeq: 3 });
    expect(await coordinator.verify(FORK)).toMatchObject({
      ok: true,
      comparedWith: { runId: SOURCE, sharedEvents: 3, events: 3, windows: 2, summaries: 0 },
    });
  });

  it('has nothing to compare of a branch', async () => {
    const coordinator = harness.coordinator();
    await coordinator.fork({ mode: 'branch', fromSeq: 4 });
    expect(await coordinator.verify(FORK)).toMatchObject({
      ok: true,
      comparedWith: { runId: SOURCE, sharedEvents: 4, events: 0, windows: 0, summaries: 0 },
    });
    expect(harness.verified).toEqual([FORK]);
  });

  it('reports texts that differ', async () => {
    const coordinator = harness.coordinator();
    await coordinator.fork({ mode: 'replay' });
    const digests = ['one', 'other'];
    Object.defineProperty(harness, 'verification', {
      get: () => ({ ...withoutDifference, windowsDigest: digests.pop() }),
    });
    expect(await coordinator.verify(FORK)).toMatchObject({
      ok: false,
      firstDifference: { what: 'the text of the windows' },
    });
  });

  it('reports a replay that is not complete', async () => {
    await expect(harness.coordinator(killedAt(PAGE_READ)).fork({ mode: 'replay' })).rejects.toThrow();
    expect(await harness.coordinator().verify(FORK)).toMatchObject({
      ok: false,
      firstDifference: { sequence: 0, what: 'the replay is not complete yet' },
    });
  });

  it('reports a window that differs, and one in whose place there is another event', async () => {
    const window = { type: 'palimpsest.window.planned', schemaVersion: 1 };
    await forkByHand([{ ...window, payload: { iteration: 1, summarySequences: [], cuts: [] } }]);
    expect(await harness.coordinator().verify(FORK)).toMatchObject({
      ok: false,
      firstDifference: { iteration: 1, sequence: 3, what: SAYS },
      comparedWith: { sharedEvents: 3, events: 0, windows: 0, summaries: 0 },
    });
    await forkByHand([{ type: 'other.event', schemaVersion: 1, payload: {} }], 'fork-2');
    expect(await harness.coordinator().verify('fork-2')).toMatchObject({
      firstDifference: { iteration: 1, sequence: 3, what: TYPE },
    });
  });

  it('leaves a summary that was erased to who feeds it', async () => {
    const coordinator = harness.coordinator();
    await coordinator.fork({ mode: 'replay' });
    await harness.artifacts.erase(TENANT, summary);
    expect(await coordinator.verify(FORK)).toMatchObject({
      ok: true,
      log: { artifacts: { readable: 4, erased: 1 } },
      comparedWith,
    });
  });

  it('keeps what the assembler found first', async () => {
    const coordinator = harness.coordinator();
    await coordinator.fork({ mode: 'replay' });
    const firstDifference = { iteration: 2, what: 'token count' };
    harness.verification = { ...harness.verification, ok: false, firstDifference };
    expect(await coordinator.verify(FORK)).toMatchObject({ ok: false, firstDifference });
  });
});

const withoutDifference = {
  ok: true,
  windowsChecked: 2,
  artifactsChecked: 3,
  summarizerCalls: 0,
};

/** A replay from sequence 3 that somebody wrote without the coordinator. */
async function forkByHand(events: AppendRequest['events'], runId = FORK): Promise<void> {
  const { eventLog, now: at } = harness;
  const source = await harness.header(SOURCE);
  await eventLog.fork({
    tenantId: TENANT,
    runId,
    origin: { runId: SOURCE, fromSequence: 3, mode: 'replay' },
    at,
    status: 'running',
    state: { ...source?.state, replayTarget: 3 },
  });
  await harness.artifacts.linkFork(TENANT, runId, SOURCE);
  await eventLog.append({ tenantId: TENANT, runId, expectedHead: 2, at, events });
}
