import { jest } from '@jest/globals';
import { RE_EMIT_EVENTS, RUN_FAILED, RUN_OVERLAID, type RunOverlay } from '@palimpsest/contracts';
import {
  PayloadTooLargeError,
  SequenceConflictError,
  ServiceUnavailableError,
  silentLogger,
} from '@palimpsest/kernel';
import { FORK_LINKED } from '../race-points.js';
import { CoordinatorHarness, FORK, killedAt } from '../testing/coordinator-harness.js';
import { expectRowOfLog } from '../testing/expect-row-of-log.js';
import { SOURCE } from '../testing/source-run.js';

const overlay: RunOverlay = { tags: ['branch'] };
const tooLarge = new PayloadTooLargeError(70_000, 65_536, 'The event that records it');

let harness: CoordinatorHarness;
let error: jest.SpiedFunction<typeof silentLogger.error>;
afterEach(() => expectRowOfLog(harness));
beforeEach(async () => {
  harness = new CoordinatorHarness();
  harness.logger = { ...silentLogger };
  error = jest.spyOn(harness.logger, 'error');
  const { source } = harness;
  await source.start().instruction();
  await source.message('user');
  await source.message('user');
  await source.write();
});

/** The log refuses to append events of these types. */
function refuses(refused: Readonly<Record<string, Error>>): void {
  const append = harness.eventLog.append.bind(harness.eventLog);
  jest.spyOn(harness.eventLog, 'append').mockImplementation(async (request) => {
    for (const { type } of request.events) if (refused[type]) throw refused[type];
    return append(request);
  });
}

const later = () => new Date(harness.now.getTime() + 1);
const branch = (forkRunId = FORK) =>
  harness.coordinator().fork({ mode: 'branch', fromSeq: 3, overlay, forkRunId });

describe('a fork that can never be made', () => {
  it('is given up: its run ends with the reason, its job is taken up no more, an error is logged', async () => {
    refuses({ [RUN_OVERLAID]: tooLarge });
    await expect(branch()).rejects.toBe(tooLarge);
    const events = await harness.events();
    expect(events.map(({ type }) => type).slice(3)).toEqual([RUN_FAILED]);
    expect(events[3]?.payload).toEqual({
      error: { code: 'payload_too_large', message: 'The fork could not be made.' },
    });
    const header = await harness.header();
    expect(header).toMatchObject({ status: 'failed', head: 3, state: { messageCount: 2 } });
    expect(header?.state).not.toHaveProperty('replayTarget');
    expect(await harness.openJobs()).toEqual([]);
    const logged = { code: 'payload_too_large', runId: FORK };
    expect(error.mock.calls.map(([fields]) => fields)).toEqual([logged]);
  });

  it('stays so, also where the log would take it by now', async () => {
    refuses({ [RUN_OVERLAID]: tooLarge });
    await expect(branch()).rejects.toBe(tooLarge);
    jest.restoreAllMocks();
    const refusal = { code: 'payload_too_large', retryable: false, details: { runId: FORK } };
    await expect(branch()).rejects.toMatchObject(refusal);
    await harness.coordinator().works.resume(later());
    expect(await harness.header()).toMatchObject({ status: 'failed', head: 3 });
  });

  it('is given up by whoever takes it up, too, and holds up none that came later', async () => {
    await expect(
      harness.coordinator(killedAt(FORK_LINKED)).fork({ mode: 'branch', fromSeq: 3, overlay }),
    ).rejects.toThrow('killed');
    await expect(
      harness.coordinator(killedAt(FORK_LINKED)).fork({ mode: 'branch', fromSeq: 2, forkRunId: 'good' }),
    ).rejects.toThrow('killed');
    expect(await harness.openJobs()).toHaveLength(2);
    refuses({ [RUN_OVERLAID]: tooLarge });
    await harness.coordinator().works.resume(later());
    expect(await harness.openJobs()).toEqual([]);
    expect(await harness.header()).toMatchObject({ status: 'failed' });
    expect(await harness.header('good')).toMatchObject({ status: 'running' });
  });

  it('as a replay has repeated what it has, in the state of its source there', async () => {
    await harness.source.messages(3 * RE_EMIT_EVENTS);
    await harness.source.write();
    const reEmit = harness.eventLog.reEmit.bind(harness.eventLog);
    jest
      .spyOn(harness.eventLog, 'reEmit')
      .mockImplementation((request) =>
        request.fromSequence > 0 ? Promise.reject(tooLarge) : reEmit(request),
      );
    await expect(harness.coordinator().fork({ mode: 'replay' })).rejects.toBe(tooLarge);
    const head = RE_EMIT_EVENTS;
    expect(await harness.header()).toMatchObject({
      status: 'failed',
      head,
      state: { replayTarget: head - 1, lastMessageSequence: head - 1 },
    });
    expect((await harness.events()).at(-1)?.type).toBe(RUN_FAILED);
    expect(await harness.coordinator().verify(FORK)).toMatchObject({ ok: true });
  });

  it('has nothing to end where it has no event yet, and ends no run that is not its own', async () => {
    jest.spyOn(harness.eventLog, 'fork').mockRejectedValueOnce(tooLarge);
    await expect(branch('no-run')).rejects.toBe(tooLarge);
    expect(await harness.header('no-run')).toBeUndefined();
    await expect(
      harness.coordinator(killedAt(FORK_LINKED)).fork({ mode: 'replay', forkRunId: 'empty' }),
    ).rejects.toThrow('killed');
    jest.spyOn(harness.eventLog, 'reEmit').mockRejectedValueOnce(tooLarge);
    await harness.coordinator().works.resume(later());
    expect(await harness.header('empty')).toMatchObject({ status: 'pending', head: -1 });
    expect(await harness.openJobs()).toEqual([]);
    expect(error).toHaveBeenCalledTimes(2);
    expect(await harness.header(SOURCE)).toMatchObject({ status: 'running' });
  });
});

describe('the run of a fork that was given up', () => {
  it('stays as it is where the log does not take its end either, and is taken up no more', async () => {
    refuses({ [RUN_OVERLAID]: tooLarge, [RUN_FAILED]: tooLarge });
    await expect(branch()).rejects.toBe(tooLarge);
    expect(await harness.header()).toMatchObject({ status: 'pending', head: 2 });
    expect(await harness.openJobs()).toEqual([]);
    expect(error).toHaveBeenCalledTimes(2);
  });
});

describe('a fork that may yet be made', () => {
  it.each([
    ['is away', new ServiceUnavailableError('The log')],
    ['threw what is no error of ours', new TypeError('broken')],
  ])('waits where the log %s', async (_what, why) => {
    refuses({ [RUN_OVERLAID]: why });
    await expect(branch()).rejects.toBe(why);
    expect(await harness.header()).toMatchObject({ status: 'pending', head: 2 });
    jest.restoreAllMocks();
    await harness.coordinator().works.resume(later());
    expect(await harness.header()).toMatchObject({ status: 'running', head: 3 });
    expect(error).not.toHaveBeenCalled();
  });

  it('waits where another was at work on it when it was to be given up', async () => {
    refuses({ [RUN_OVERLAID]: tooLarge, [RUN_FAILED]: new SequenceConflictError(FORK, 2, 3) });
    await expect(branch()).rejects.toBe(tooLarge);
    expect(await harness.openJobs()).toHaveLength(1);
  });
});

describe('two looks for forks that are half made', () => {
  it('are one where the first is still going', async () => {
    await expect(
      harness.coordinator(killedAt(FORK_LINKED)).fork({ mode: 'branch', fromSeq: 3, overlay }),
    ).rejects.toThrow('killed');
    const open = jest.spyOn(harness.jobs, 'open');
    const { works } = harness.coordinator();
    await Promise.all([works.resume(later()), works.resume(later())]);
    expect(open).toHaveBeenCalledTimes(1);
    await works.resume(later());
    expect(open).toHaveBeenCalledTimes(2);
  });
});
