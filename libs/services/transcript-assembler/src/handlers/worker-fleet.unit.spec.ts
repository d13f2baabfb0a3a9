import { InProcessBus, MemoryStreamStore } from '@palimpsest/adapter-memory';
import type { SummaryJob, SummaryResult } from '@palimpsest/contracts';
import { silentLogger } from '@palimpsest/kernel';
import { jest } from '@jest/globals';
import { MemorySummaryJobStore } from '../store/memory-summary-job-store.js';
import { Patience } from './patience.js';
import { WorkerFleet } from './worker-fleet.js';

const COOL_DOWN_MS = 10_000;
const AT = new Date(0);

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

function given() {
  const jobs = new MemorySummaryJobStore();
  const bus = new InProcessBus({ store: new MemoryStreamStore() });
  const fleet = new WorkerFleet({ bus, jobs, logger: silentLogger, coolDownMs: COOL_DOWN_MS });
  let jobCount = 0;
  /** Asks for an answer; the patience is there for as long as the job is. */
  const ask = async () => {
    jobCount += 1;
    const job: SummaryJob = {
      tenantId: 'acme',
      runId: 'run_1',
      jobId: `job-${jobCount}`,
      tokenCounter: 'chars',
      maxTokens: 9,
      absorbed: [],
      messages: [],
    };
    await jobs.open(job, { at: AT });
    const state: { settled: boolean } = { settled: false };
    const answer = fleet.answer(job, new Patience(1000)).finally(() => (state.settled = true));
    return { job, answer, state };
  };
  const missed = async () => {
    const { answer, state } = await ask();
    await jest.advanceTimersByTimeAsync(10);
    const waited = !state.settled;
    await jest.advanceTimersByTimeAsync(1000);
    expect(await answer).toBeUndefined();
    return waited;
  };
  return { jobs, ask, missed };
}

describe('a fleet that misses its deadlines', () => {
  it('is not waited for after three in a row, until a cool-down has passed', async () => {
    const { missed } = given();
    const waits: boolean[] = [];
    for (let job = 0; job < 5; job += 1) waits.push(await missed());
    expect(waits).toEqual([true, true, true, false, false]);
    await jest.advanceTimersByTimeAsync(COOL_DOWN_MS);
    expect([await missed(), await missed()]).toEqual([true, false]);
  });

  it('is tried with one job, and with no other as long as that one waits', async () => {
    const { missed, ask, jobs } = given();
    for (let job = 0; job < 3; job += 1) await missed();
    await jest.advanceTimersByTimeAsync(COOL_DOWN_MS);
    const trial = await ask();
    await jest.advanceTimersByTimeAsync(10);
    const second = await ask();
    expect(await second.answer).toBeUndefined();
    expect(trial.state.settled).toBe(false);
    const result: SummaryResult = {
      outcome: 'refused',
      jobId: trial.job.jobId,
      tenantId: 'acme',
      reason: 'nothing worth keeping',
    };
    await jobs.complete(result);
    await jest.advanceTimersByTimeAsync(1000);
    expect(await trial.answer).toEqual(result);
    expect(await missed()).toBe(true);
  });

  it('is waited for while it answers now and then', async () => {
    const { missed, ask, jobs } = given();
    for (let round = 0; round < 3; round += 1) {
      expect([await missed(), await missed()]).toEqual([true, true]);
      const { job, answer } = await ask();
      await jobs.complete({ outcome: 'refused', jobId: job.jobId, tenantId: 'acme', reason: 'empty' });
      await jest.advanceTimersByTimeAsync(1000);
      expect(await answer).toBeDefined();
    }
  });
});
