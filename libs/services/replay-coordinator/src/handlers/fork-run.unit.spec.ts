import { eventIdOf, ownLoopStateSchema, type RecordedEvent } from '@palimpsest/contracts';
import { CoordinatorHarness, FORK } from '../testing/coordinator-harness.js';
import { SOURCE, TENANT } from '../testing/source-run.js';

/** What a replay must have of its source: everything but clock and identity. */
function facts({ type, payload, nodeId, schemaVersion, sequence, counts }: RecordedEvent) {
  return { type, payload, nodeId, schemaVersion, sequence, counts };
}

let harness: CoordinatorHarness;
let earlySummary: string;
let earlyCut: string;
let lateSummary: string;

/** 0 started · 1 system · 2 user · 3 calls a, b · 4 answers a · 5 summary · 6 window · 7 answers b · 8 summary · 9 window · 10 user */
beforeEach(async () => {
  harness = new CoordinatorHarness();
  const { source } = harness;
  source.start();
  await source.instruction();
  await source.message('user');
  await source.message('assistant', ['a', 'b']);
  await source.message('tool', ['a'], 3);
  earlySummary = await source.summary();
  earlyCut = await source.window(1, [5]);
  await source.message('tool', ['b'], 3);
  lateSummary = await source.summary();
  await source.window(2, [5, 8]);
  await source.message('user');
  await source.write();
});

async function finished(): Promise<void> {
  await harness.source.finish().write();
}

describe('where a fork may start', () => {
  it('refuses an unknown source', async () => {
    await expect(harness.coordinator().fork({ mode: 'replay', runId: 'nobody' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it.each([
    ['replay', 11],
    ['branch', 12],
    ['branch', 4_000_000],
  ] as const)('refuses a %s of a running run from %i', async (mode, fromSeq) => {
    await expect(harness.coordinator().fork({ mode, fromSeq })).rejects.toMatchObject({
      code: 'invalid_from_seq',
      details: { sourceRunId: SOURCE, fromSeq },
    });
    expect(await harness.header()).toBeUndefined();
    expect(await harness.openJobs()).toEqual([]);
  });

  it.each([
    ['replay', 12],
    ['branch', 12],
  ] as const)('refuses a %s of a completed run from %i', async (mode, fromSeq) => {
    await finished();
    await expect(harness.coordinator().fork({ mode, fromSeq })).rejects.toMatchObject({
      code: 'invalid_from_seq',
    });
  });

  it.each([
    ['replay', 11],
    ['branch', 11],
  ] as const)('takes a %s of a completed run from its terminal event', async (mode, fromSeq) => {
    await finished();
    await expect(harness.coordinator().fork({ mode, fromSeq })).resolves.toMatchObject({ fromSeq });
  });

  it.each([[-1], [1.5], ['3'], [null]])('refuses fromSeq %p', async (fromSeq) => {
    await expect(
      harness.coordinator().fork({ mode: 'branch', fromSeq: fromSeq as number }),
    ).rejects.toMatchObject({ code: 'validation_error', details: { field: 'fromSeq' } });
  });

  it('needs fromSeq for a branch', async () => {
    await expect(harness.coordinator().fork({ mode: 'branch' })).rejects.toMatchObject({
      code: 'validation_error',
      details: { field: 'fromSeq' },
    });
  });

  it('refuses an id that another run has', async () => {
    await expect(harness.coordinator().fork({ mode: 'replay', forkRunId: SOURCE })).rejects.toMatchObject({
      code: 'sequence_conflict',
    });
    expect(await harness.openJobs()).toEqual([]);
  });
});

describe('a replay', () => {
  it('repeats every recorded fact, and answers pending', async () => {
    await finished();
    const answer = await harness.coordinator().fork({ mode: 'replay' });
    expect(answer).toEqual({
      runId: FORK,
      sourceRunId: SOURCE,
      fromSeq: 0,
      mode: 'replay',
      status: 'pending',
    });
    const [replayed, recorded] = await Promise.all([harness.events(), harness.events(SOURCE)]);
    expect(replayed.map(facts)).toEqual(recorded.map(facts));
    expect(replayed.map(({ runId, eventId }) => ({ runId, eventId }))).toEqual(
      recorded.map(({ sequence }) => ({ runId: FORK, eventId: eventIdOf(FORK, sequence) })),
    );
    expect(replayed[4]?.causationId).toBe(eventIdOf(FORK, 3));
    expect(await harness.openJobs()).toEqual([]);
  });

  it('ends with the status and the state of its source', async () => {
    await finished();
    await harness.coordinator().fork({ mode: 'replay', fromSeq: 4 });
    const [fork, source] = await Promise.all([harness.header(), harness.header(SOURCE)]);
    expect(fork).toMatchObject({
      status: 'completed',
      head: 11,
      origin: { runId: SOURCE, fromSequence: 4, mode: 'replay' },
    });
    expect(fork?.state).toEqual({ ...source?.state, replayTarget: 11 });
    expect(ownLoopStateSchema.safeParse(fork?.state).success).toBe(true);
  });

  it('of a run still going takes the log as of the request', async () => {
    await harness.coordinator().fork({ mode: 'replay' });
    await finished();
    expect(await harness.header()).toMatchObject({ status: 'running', head: 10 });
  });

  it('of a fork repeats the fork', async () => {
    const coordinator = harness.coordinator();
    await coordinator.fork({ mode: 'branch', fromSeq: 8, forkRunId: 'branch-1' });
    await coordinator.fork({ mode: 'replay', runId: 'branch-1' });
    const [replayed, recorded] = await Promise.all([harness.events(), harness.events('branch-1')]);
    expect(replayed.map(facts)).toEqual(recorded.map(facts));
    expect(replayed[7]?.causationId).toBe(eventIdOf(FORK, 3));
  });

  it('lets its summaries be read through it', async () => {
    await harness.coordinator().fork({ mode: 'replay' });
    expect(await harness.artifacts.getForRun(TENANT, FORK, lateSummary)).toMatchObject({
      artifactId: lateSummary,
    });
  });

  const unreadable = { code: 'replay_context_summary_unavailable', retryable: false };

  it.each([
    ['erased', (id: string) => harness.artifacts.erase(TENANT, id)],
    ['altered by one byte', (id: string) => Promise.resolve(harness.artifacts.damage(TENANT, id))],
  ])('is refused where a summary is %s, and leaves nothing', async (_, spoil) => {
    await spoil(lateSummary);
    await expect(harness.coordinator().fork({ mode: 'replay', fromSeq: 2 })).rejects.toMatchObject({
      ...unreadable,
      details: { fromSeq: 2, sourceRunId: SOURCE },
    });
    expect(await harness.header()).toBeUndefined();
    expect(await harness.openJobs()).toEqual([]);
  });

  it('is refused where a cut is gone, or a summary from before that it feeds again', async () => {
    await harness.artifacts.erase(TENANT, earlySummary);
    await expect(harness.coordinator().fork({ mode: 'replay', fromSeq: 7 })).rejects.toMatchObject(
      unreadable,
    );
    await expect(harness.coordinator().fork({ mode: 'replay', fromSeq: 10 })).resolves.toBeDefined();
  });

  it('does not mind what only windows before it fed', async () => {
    await harness.artifacts.erase(TENANT, earlyCut);
    await expect(harness.coordinator().fork({ mode: 'replay', fromSeq: 6 })).rejects.toMatchObject(
      unreadable,
    );
    await expect(harness.coordinator().fork({ mode: 'replay', fromSeq: 7 })).resolves.toBeDefined();
  });
});

describe('a branch', () => {
  it('shares its prefix and runs on', async () => {
    await finished();
    await harness.coordinator().fork({ mode: 'branch', fromSeq: 7 });
    expect(await harness.header()).toMatchObject({
      status: 'running',
      head: 6,
      state: {
        lastMessageSequence: 4,
        messageCount: 4,
        openCalls: { b: 3 },
        transcriptTokens: 15,
        instructionTokens: 5,
      },
    });
    expect(await harness.openJobs()).toEqual([]);
  });

  it('at the head has the state of the head', async () => {
    await harness.coordinator().fork({ mode: 'branch', fromSeq: 11 });
    const [fork, source] = await Promise.all([harness.header(), harness.header(SOURCE)]);
    expect(fork?.state).toEqual(source?.state);
  });

  it('from 0 starts as its source did', async () => {
    await harness.coordinator().fork({ mode: 'branch', fromSeq: 0 });
    const [fork] = await harness.events();
    const [source] = await harness.events(SOURCE);
    expect(fork && facts(fork)).toEqual(source && facts(source));
    expect(await harness.header()).toMatchObject({ status: 'running', head: 0, state: { messageCount: 0 } });
  });

  it('needs only the summaries that its next window could feed', async () => {
    await harness.artifacts.erase(TENANT, lateSummary);
    const coordinator = harness.coordinator();
    await expect(coordinator.fork({ mode: 'branch', fromSeq: 10 })).rejects.toMatchObject({
      code: 'replay_context_summary_unavailable',
      details: { fromSeq: 10 },
    });
    await expect(coordinator.fork({ mode: 'branch', fromSeq: 9 })).resolves.toBeDefined();
  });

  it('before the first window needs none', async () => {
    await harness.artifacts.erase(TENANT, earlySummary);
    await expect(harness.coordinator().fork({ mode: 'branch', fromSeq: 6 })).resolves.toBeDefined();
  });
});

describe('the same fork asked for twice', () => {
  it('is one fork, also where its source has lost a summary since', async () => {
    const coordinator = harness.coordinator();
    const first = await coordinator.fork({ mode: 'replay' });
    await harness.artifacts.erase(TENANT, lateSummary);
    await finished();
    expect(await coordinator.fork({ mode: 'replay' })).toEqual(first);
    expect(await harness.header()).toMatchObject({ head: 10 });
  });

  it('at once is one fork', async () => {
    const coordinator = harness.coordinator();
    const answers = await Promise.all([
      coordinator.fork({ mode: 'replay' }),
      coordinator.fork({ mode: 'replay' }),
    ]);
    expect(answers[0]).toEqual(answers[1]);
    expect(await harness.events()).toHaveLength(11);
  });

  it('with another place is refused', async () => {
    const coordinator = harness.coordinator();
    await coordinator.fork({ mode: 'branch', fromSeq: 5 });
    await expect(coordinator.fork({ mode: 'branch', fromSeq: 6 })).rejects.toMatchObject({
      code: 'sequence_conflict',
    });
    await expect(coordinator.fork({ mode: 'replay', fromSeq: 5 })).rejects.toMatchObject({
      code: 'sequence_conflict',
    });
  });
});
