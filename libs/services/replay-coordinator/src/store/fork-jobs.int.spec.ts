import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import type { ForkJob } from '../domain/fork-job.js';
import type { ForkJobStore } from './fork-job-store.js';
import { MemoryForkJobs } from './memory-fork-jobs.js';
import { replayCoordinatorMigrations } from './migrations.js';
import { PostgresForkJobs } from './postgres-fork-jobs.js';

const job: ForkJob = {
  tenantId: 'acme',
  forkRunId: 'fork-1',
  sourceRunId: 'run-1',
  mode: 'replay',
  fromSeq: 0,
  target: 41,
};
const branch: ForkJob = { ...job, forkRunId: 'fork-2', mode: 'branch', fromSeq: 7 };
const { target: _, ...withoutTarget } = branch;
const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds));

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase([replayCoordinatorMigrations]);
});
afterAll(() => database.drop());
beforeEach(() => database.pool.query('TRUNCATE replay_coordinator.fork_jobs'));

describe.each<[string, () => ForkJobStore]>([
  ['memory', () => new MemoryForkJobs()],
  ['Postgres', () => new PostgresForkJobs(database.pool)],
])('fork jobs in %s', (_name, create) => {
  let jobs: ForkJobStore;
  beforeEach(() => {
    jobs = create();
  });

  it('are found as they were recorded, with and without a target', async () => {
    expect(await jobs.find('acme', 'fork-1')).toBeUndefined();
    expect(await jobs.record(job, at(0))).toEqual(job);
    expect(await jobs.record(withoutTarget, at(1))).toEqual(withoutTarget);
    expect(await jobs.find('acme', 'fork-1')).toEqual(job);
    expect(await jobs.find('acme', 'fork-2')).toEqual(withoutTarget);
    expect(await jobs.find('other', 'fork-1')).toBeUndefined();
  });

  it('keep the overlay of a branch, and its number as it was sent', async () => {
    const context = {
      transcriptTokenBudget: 900,
      tokenCounter: 'chars',
      keepLastTurns: 0,
      strategy: 'none',
    } as const;
    const overlaid = {
      ...withoutTarget,
      overlay: { context, tags: [], configurable: { temperature: 0.1, a: { b: null } } },
    };
    expect(await jobs.record(overlaid, at(0))).toEqual(overlaid);
    expect(await jobs.record(withoutTarget, at(1))).toEqual(overlaid);
    expect(await jobs.open(at(3), 10)).toEqual([overlaid]);
  });

  it('keep the digest of what was asked', async () => {
    const digested = { ...withoutTarget, overlay: { tags: [] }, overlayDigest: 'd'.repeat(64) };
    expect(await jobs.record(digested, at(0))).toEqual(digested);
    expect(await jobs.find('acme', 'fork-2')).toEqual(digested);
  });

  it('that are given up are open no more, and say why', async () => {
    await jobs.record(job, at(1));
    await jobs.record(withoutTarget, at(2));
    await jobs.fail(job, 'payload_too_large', at(3));
    await jobs.fail(job, 'internal_error', at(4));
    await jobs.close(job, at(5));
    expect(await jobs.open(at(9), 10)).toEqual([withoutTarget]);
    const failed = { ...job, failedCode: 'payload_too_large' };
    expect(await jobs.find('acme', 'fork-1')).toEqual(failed);
    expect(await jobs.record(job, at(6))).toEqual(failed);
    await jobs.close(withoutTarget, at(7));
    await jobs.fail(withoutTarget, 'internal_error', at(8));
    expect(await jobs.find('acme', 'fork-2')).toEqual(withoutTarget);
    expect(await jobs.open(at(9), 10)).toEqual([]);
  });

  it('keep the first that was recorded for a fork, also at once', async () => {
    const targets = [1, 2, 3, 4];
    const recorded = await Promise.all(targets.map((target) => jobs.record({ ...job, target }, at(0))));
    expect(new Set(recorded.map(({ target }) => target)).size).toBe(1);
    expect(await jobs.record({ ...job, target: 9 }, at(1))).toEqual(recorded[0]);
  });

  it('are open until closed, the oldest first', async () => {
    await jobs.record(job, at(1));
    await jobs.record(withoutTarget, at(2));
    await jobs.record({ ...job, forkRunId: 'fork-3' }, at(3));
    expect(await jobs.open(at(3), 10)).toEqual([job, withoutTarget]);
    expect(await jobs.open(at(9), 1)).toEqual([job]);
    await jobs.close(job, at(4));
    await jobs.close(job, at(5));
    expect(await jobs.open(at(3), 10)).toEqual([withoutTarget]);
    expect(await jobs.find('acme', 'fork-1')).toEqual(job);
  });
});
