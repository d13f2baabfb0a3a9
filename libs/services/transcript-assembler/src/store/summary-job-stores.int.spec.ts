import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import type { SummaryInvocation, SummaryJob, SummaryResult } from '@palimpsest/contracts';
import { MemorySummaryJobStore } from './memory-summary-job-store.js';
import { assemblerMigrations } from './migrations.js';
import { PostgresSummaryJobStore } from './postgres-summary-job-store.js';
import { MOST_LAPSES, type SummaryJobStore } from './summary-job-store.js';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds));
const RUN = { tenantId: 'acme', runId: 'run_1' };
const ref = (letter: string) => `art_${letter.repeat(32)}`;

const job = (jobId: string, over: Partial<SummaryJob> = {}): SummaryJob => ({
  ...RUN,
  jobId,
  tokenCounter: 'chars',
  maxTokens: 100,
  absorbed: [ref('a')],
  messages: [{ sequence: 1, artifactId: ref('b') }],
  ...over,
});

const made = (jobId: string, letter = 'c', invocations?: SummaryInvocation[]): SummaryResult => ({
  outcome: 'made',
  jobId,
  tenantId: 'acme',
  summaryRef: ref(letter),
  tokens: 5,
  by: 'model',
  ...(invocations && { invocations }),
});

const invocation = (invocationId: string, inputTokens = 10): SummaryInvocation => ({
  invocationId,
  usage: { provider: 'p', model: 'm', inputTokens, outputTokens: 2 },
});

const claim = (claimant: string, jobId = 'one') => ({ jobId, tenantId: 'acme', claimant, leaseMs: 10_000 });

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase([assemblerMigrations]);
});
afterAll(() => database.drop());
beforeEach(() => database.pool.query('TRUNCATE transcript_assembler.summary_jobs'));

describe.each<[string, () => SummaryJobStore]>([
  ['memory', () => new MemorySummaryJobStore()],
  ['Postgres', () => new PostgresSummaryJobStore(database.pool)],
])('summary jobs in %s', (_name, create) => {
  let jobs: SummaryJobStore;
  beforeEach(() => {
    jobs = create();
  });
  const open = (id: string, seconds = 0) => jobs.open(job(id), { at: at(seconds) });

  it('are open until the first answer, which stands', async () => {
    expect(await open('one')).toBeUndefined();
    expect(await open('one', 1)).toBeUndefined();
    expect(await jobs.pending(10)).toEqual([job('one')]);
    expect(await jobs.complete(made('one'), at(2))).toEqual(made('one'));
    expect(await jobs.complete(made('one', 'd'), at(3))).toEqual(made('one'));
    expect(await open('one', 4)).toEqual(made('one'));
    expect(await jobs.resultOf(job('one'))).toEqual(made('one'));
    expect(await jobs.pending(10)).toEqual([]);
    expect(await jobs.countOf(RUN)).toBe(1);
  });

  it('belong to a tenant and a run', async () => {
    await jobs.open(job('one'), { at: at(0), nodeId: 'supervisor' });
    await open('two', 1);
    expect(await jobs.ownerOf(job('one'))).toEqual({ runId: 'run_1', nodeId: 'supervisor' });
    expect(await jobs.ownerOf(job('two'))).toEqual({ runId: 'run_1' });
    expect(await jobs.ownerOf(job('one', { tenantId: 'other' }))).toBeUndefined();
    expect(await jobs.resultOf({ tenantId: 'other', jobId: 'one' })).toBeUndefined();
    expect(await jobs.countOf({ tenantId: 'other', runId: 'run_1' })).toBe(0);
  });

  it('keep the bill of every answer, each invocation once', async () => {
    await open('one');
    await jobs.complete(made('one', 'c', [invocation('x')]), at(1));
    const late = made('one', 'd', [invocation('x'), invocation('y', 20)]);
    expect(await jobs.complete(late, at(2))).toEqual(made('one'));
    expect(await jobs.billedFor(job('one'))).toEqual({
      x: invocation('x').usage,
      y: invocation('y', 20).usage,
    });
    expect(await jobs.billedFor(job('none'))).toEqual({});
  });

  it('are claimed by one worker at a time, until its lease ends or the answer is there', async () => {
    await open('one');
    expect(await jobs.claim(claim('w1'), at(0))).toBe('work');
    expect(await jobs.claim(claim('w2'), at(1))).toBe('taken');
    expect(await jobs.claim(claim('w1'), at(5))).toBe('work');
    expect(await jobs.claim(claim('w2'), at(14))).toBe('taken');
    expect(await jobs.claim(claim('w2'), at(15))).toBe('work');
    await jobs.complete(made('one'), at(16));
    expect(await jobs.claim(claim('w3'), at(99))).toBe('done');
    expect(await jobs.claim(claim('w1', 'none'), at(0))).toBe('done');
  });

  it('are claimed by one of many who ask at once', async () => {
    await open('one');
    const verdicts = await Promise.all(
      Array.from({ length: 8 }, (_, worker) => jobs.claim(claim(`w${worker}`), at(0))),
    );
    expect(verdicts.filter((verdict) => verdict === 'work')).toHaveLength(1);
  });

  it('are given out again where a lease has run out, a few times', async () => {
    await open('one');
    await open('never-claimed');
    for (let times = 1; times <= MOST_LAPSES; times += 1) {
      const now = at(times * 20);
      await jobs.claim(claim(`w${times}`), now);
      expect(await jobs.lapsed(10, new Date(now.getTime() + 9999))).toEqual([]);
      const due = new Date(now.getTime() + 10_000);
      expect(await jobs.lapsed(10, due)).toEqual([{ job: job('one'), times }]);
      expect(await jobs.lapsed(10, due)).toEqual([]);
    }
    await jobs.claim(claim('last'), at(500));
    expect(await jobs.lapsed(10, at(999))).toEqual([]);
  });

  it('given ahead are one for a run, which keeps what it is for when it is answered', async () => {
    expect(await jobs.openAhead(job('one'), { at: at(0) })).toBeUndefined();
    expect(await jobs.aheadOf(RUN)).toEqual({ job: job('one') });
    await jobs.complete(made('one'), at(1));
    expect(await jobs.aheadOf(RUN)).toEqual({ job: job('one'), result: made('one') });
    expect(await jobs.openAhead(job('two'), { at: at(2) })).toBeUndefined();
    expect(await jobs.aheadOf(RUN)).toEqual({ job: job('two') });
    expect(await jobs.aheadOf({ ...RUN, runId: 'run_2' })).toBeUndefined();
    expect(await jobs.openAhead(job('one'), { at: at(3) })).toEqual(made('one'));
  });

  it('given ahead and up again are nobody’s work, but are billed, and may be wanted after all', async () => {
    await jobs.openAhead(job('one'), { at: at(0) });
    await jobs.openAhead(job('two'), { at: at(1) });
    expect(await jobs.claim(claim('w1'), at(2))).toBe('done');
    expect(await jobs.pending(10)).toEqual([job('two')]);
    expect(await open('one', 3)).toBeUndefined();
    expect(await jobs.claim(claim('w1'), at(4))).toBe('work');
    await jobs.openAhead(job('three'), { at: at(5) });
    await jobs.complete(made('two', 'c', [invocation('x')]), at(6));
    expect(Object.keys(await jobs.billedFor(job('two')))).toEqual(['x']);
  });
});
