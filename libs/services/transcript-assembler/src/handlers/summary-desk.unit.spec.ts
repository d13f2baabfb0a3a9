import {
  STREAMS,
  summaryJobSchema,
  type ContextSettings,
  type SummaryInvocation,
  type SummaryJob,
  type SummaryResult,
  type WindowPlan,
} from '@palimpsest/contracts';
import { waitUntil } from '@palimpsest/kernel/testing';
import { AssemblerHarness, RUN, type HarnessOptions } from '../testing/assembler-harness.js';
import type { AssemblerHandlers } from './answer-requests.js';

const SETTINGS: ContextSettings = {
  transcriptTokenBudget: 600,
  tokenCounter: 'o200k_base',
  keepLastTurns: 1,
  strategy: 'sliding-window',
};

const said = (turn: number, times = 2) => ({
  role: 'user' as const,
  text: `Step ${turn}: ticket OPS-${1000 + turn} is due on 2026-03-04. `.repeat(times),
});

async function started(settings: Partial<ContextSettings> = {}, options: HarnessOptions = {}) {
  const harness = new AssemblerHarness({ ...SETTINGS, ...settings });
  await harness.start();
  const handlers = harness.handlers({ deadlineMs: 60_000, ...options });
  const ask = (): Promise<WindowPlan> => handlers.planWindow.handle({ ...RUN, asOfSequence: 0 });
  const events = async (...types: string[]) =>
    (await harness.log.readRun({ ...RUN, fromSequence: 0, types })).events;
  return { harness, handlers, ask, events };
}

/** A worker whose answers `told` may change. */
async function work(
  { bus, make }: AssemblerHarness,
  handlers: AssemblerHandlers,
  told: (result: SummaryResult, job: SummaryJob) => SummaryResult = (result) => result,
): Promise<SummaryJob[]> {
  const done: SummaryJob[] = [];
  await bus.consume({ stream: STREAMS.summarize, durable: 'worker', concurrency: 4 }, async ({ body }) => {
    const job = summaryJobSchema.parse(body);
    done.push(job);
    await handlers.summaries.complete(told(await make(job), job));
  });
  return done;
}

describe('summaries made in parts', () => {
  const inParts: HarnessOptions = { deadlineMs: 60_000, assembler: { summaryJobTokens: 800 } };

  async function compacted(told?: (result: SummaryResult, job: SummaryJob) => SummaryResult) {
    const run = await started({ strategy: 'map-reduce' }, inParts);
    const jobs = await work(bound(run.harness), run.handlers, told);
    await run.harness.say(...Array.from({ length: 30 }, (_, turn) => said(turn)));
    const plan = await run.ask();
    return { ...run, jobs, plan };
  }

  it('are one recorded summary of all messages, put together of parts below the size of a job', async () => {
    const { jobs, plan, events, handlers } = await compacted();
    const [whole] = jobs.filter(({ absorbed }) => absorbed.length > 0);
    expect(jobs.length).toBeGreaterThan(4);
    expect(whole).toMatchObject({ messages: [], absorbed: { length: jobs.length - 1 } });
    expect(await events('context.summarized')).toHaveLength(1);
    const named = plan.summarizedRanges[0]?.replacedTurns.length;
    expect(named).toBe(jobs.flatMap(({ messages }) => messages).length);
    expect(await handlers.verifyRun.handle(RUN)).toMatchObject({ ok: true });
  });

  it('leave out a part that is refused: its messages are evicted', async () => {
    const { plan, handlers, jobs } = await compacted((result, { messages }) => {
      if (messages[0]?.sequence !== 1) return result;
      const { jobId, tenantId } = result;
      return { outcome: 'refused', jobId, tenantId, reason: 'nothing worth keeping' };
    });
    const refused = jobs.find(({ messages }) => messages[0]?.sequence === 1);
    const { fates } = await handlers.readWindow.explain({ ...RUN, iteration: 1 });
    expect(fates[0]).toMatchObject({ fate: 'evicted', events: refused?.messages.length });
    expect(fates.map(({ fate }) => fate)).toEqual(['evicted', 'summarized', 'fed']);
    expect(plan.window.tokenCount).toBeLessThanOrEqual(SETTINGS.transcriptTokenBudget);
    expect(await handlers.verifyRun.handle(RUN)).toMatchObject({ ok: true });
  });

  it('are one job where there is one part, which absorbs the summary in force', async () => {
    const { harness, handlers, ask } = await started({ strategy: 'map-reduce' });
    const jobs = await work(bound(harness), handlers);
    for (let turn = 0; jobs.length < 2; turn += 1) {
      await harness.say(said(turn));
      await ask();
    }
    expect(jobs.map(({ absorbed }) => absorbed.length)).toEqual([0, 1]);
    expect(jobs.every(({ messages }) => messages.length > 0)).toBe(true);
  });
});

/** `make` without its object. */
function bound(harness: AssemblerHarness): AssemblerHarness {
  const make = harness.make.bind(harness);
  return Object.assign(harness, { make });
}

describe('summaries made ahead', () => {
  const ahead: HarnessOptions = { deadlineMs: 60_000, assembler: { prepareAhead: true } };

  /** Turns until a job is given though no window wanted one; then, with its answer, until a summary is recorded. */
  async function untilTaken(strategy: ContextSettings['strategy']) {
    const run = await started({ strategy, transcriptTokenBudget: 1600 }, ahead);
    const { harness, ask, events } = run;
    for (let turn = 0; !(await harness.jobs.aheadOf(RUN)); turn += 1) {
      await harness.say(said(turn));
      await ask();
      await new Promise(setImmediate);
    }
    expect(await events('context.summarized')).toEqual([]);
    return run;
  }

  async function untilSummarized({
    harness,
    ask,
    events,
  }: Awaited<ReturnType<typeof started>>): Promise<WindowPlan> {
    let plan = await ask();
    for (let turn = 100; (await events('context.summarized')).length === 0; turn += 1) {
      await harness.say(said(turn));
      plan = await ask();
    }
    return plan;
  }

  it.each(['sliding-window', 'recursive', 'map-reduce'] as const)(
    'are taken by the next compaction, which waits for nobody and is derived again: %s',
    async (strategy) => {
      const run = await untilTaken(strategy);
      const jobs = await work(bound(run.harness), run.handlers);
      const ready = await waitUntil(async () => (await run.harness.jobs.aheadOf(RUN))?.result);
      const plan = await untilSummarized(run);
      expect(plan.summarizedRanges).toMatchObject([
        { summaryRef: (ready as { summaryRef: string }).summaryRef },
      ]);
      expect(jobs.filter(({ messages }) => messages[0]?.sequence === 1)).toHaveLength(1);
      expect(plan.window.tokenCount).toBeLessThanOrEqual(1600 * (7 / 8));
      expect(await run.handlers.verifyRun.handle(RUN)).toMatchObject({ ok: true });
    },
  );

  it('are not taken once they are erased', async () => {
    const run = await untilTaken('sliding-window');
    await work(bound(run.harness), run.handlers);
    const ready = await waitUntil(async () => (await run.harness.jobs.aheadOf(RUN))?.result);
    const { summaryRef } = ready as { summaryRef: string };
    await run.harness.artifacts.erase(RUN.tenantId, summaryRef);
    const plan = await untilSummarized(run);
    expect(plan.summarizedRanges[0]?.summaryRef).not.toBe(summaryRef);
  });

  it('are one for a run, however many windows come before it is needed', async () => {
    const { harness, ask } = await untilTaken('sliding-window');
    const first = await harness.jobs.aheadOf(RUN);
    await harness.say(said(90, 1));
    await ask();
    await new Promise(setImmediate);
    expect(await harness.jobs.aheadOf(RUN)).toEqual(first);
    expect(await harness.jobs.pending(10)).toHaveLength(1);
  });
});

describe('what summaries cost', () => {
  const invocation = (invocationId: string): SummaryInvocation => ({
    invocationId,
    usage: { provider: 'openai', model: 'm', inputTokens: 100, outputTokens: 20 },
  });
  const billed = (result: SummaryResult): SummaryResult => ({
    ...result,
    invocations: [invocation(`inv-${result.jobId}`)],
  });

  async function compacted(told = billed) {
    const run = await started();
    await work(bound(run.harness), run.handlers, told);
    await run.harness.say(...Array.from({ length: 16 }, (_, turn) => said(turn)));
    await run.ask();
    const [job] = await run.events('context.summarized');
    expect(job).toBeDefined();
    return run;
  }

  it('is on the log before the summary that it paid for', async () => {
    const { events, handlers } = await compacted();
    const recorded = await events('provider.usage', 'context.summarized');
    expect(recorded.map(({ type }) => type)).toEqual(['provider.usage', 'context.summarized']);
    expect(recorded[0]?.payload).toEqual(invocation('any').usage);
    expect(await handlers.verifyRun.handle(RUN)).toMatchObject({ ok: true });
  });

  it('is billed once, whoever tells it again and however late', async () => {
    let told: SummaryResult | undefined;
    const { harness, handlers, events } = await compacted((result) => (told = billed(result)));
    await handlers.summaries.complete(told);
    await harness.handlers().summaries.complete(told);
    const late = { ...told, invocations: [invocation('late')] };
    await Promise.all([handlers.summaries.complete(late), harness.handlers().summaries.complete(late)]);
    expect(await events('provider.usage')).toHaveLength(2);
  });

  it('is kept with the job alone where it comes after the end of the run', async () => {
    let told: SummaryResult | undefined;
    const { harness, handlers, events } = await compacted((result) => (told = billed(result)));
    const head = (await harness.log.header(RUN.tenantId, RUN.runId))?.head ?? 0;
    await harness.log.append({
      ...RUN,
      expectedHead: head,
      at: new Date(0),
      events: [{ type: 'run.completed', payload: { outputs: {} }, schemaVersion: 1 }],
      header: { status: 'completed' },
    });
    await handlers.summaries.complete({ ...told, invocations: [invocation('late')] });
    expect(await events('provider.usage')).toHaveLength(1);
    const { jobId = '' } = told ?? {};
    const kept = await harness.jobs.billedFor({ tenantId: RUN.tenantId, jobId });
    expect(Object.keys(kept).sort()).toEqual([`inv-${jobId}`, 'late'].sort());
  });

  it('is not lost where the log cannot be written: the job is not done before', async () => {
    const { harness, handlers } = await started();
    const job: SummaryJob = {
      ...RUN,
      jobId: 'j',
      tokenCounter: 'chars',
      maxTokens: 9,
      absorbed: [],
      messages: [],
    };
    await harness.jobs.open(job, { at: new Date(0) });
    const refused: SummaryResult = {
      outcome: 'refused',
      jobId: 'j',
      tenantId: RUN.tenantId,
      reason: 'empty',
    };
    harness.log.append = () => Promise.reject(new Error('down'));
    await expect(handlers.summaries.complete(billed(refused))).rejects.toThrow('down');
    expect(await harness.jobs.resultOf(job)).toBeUndefined();
  });
});

describe('jobs that a worker does not come back with', () => {
  it('are published again when the lease has run out, and reach another worker', async () => {
    let now = new Date(0);
    const { harness, handlers } = await started({}, { assembler: { clock: { now: () => now } } });
    const job: SummaryJob = {
      ...RUN,
      jobId: 'j',
      tokenCounter: 'chars',
      maxTokens: 9,
      absorbed: [],
      messages: [],
    };
    await harness.jobs.open(job, { at: now });
    await handlers.summaries.republish();
    const claim = { jobId: 'j', tenantId: RUN.tenantId, claimant: 'gone', leaseMs: 10_000 };
    expect(await handlers.summaries.claim(claim)).toEqual({ verdict: 'work' });
    expect(await handlers.summaries.republishLapsed()).toBe(0);
    now = new Date(10_000);
    expect(await handlers.summaries.republishLapsed()).toBe(1);
    const seen: string[] = [];
    await harness.bus.consume({ stream: STREAMS.summarize, durable: 'worker' }, ({ id }) => {
      seen.push(id);
      return Promise.resolve();
    });
    await waitUntil(() => seen.length === 2);
    expect(seen).toEqual(['j', 'j.1']);
    expect(await handlers.summaries.claim({ ...claim, claimant: 'other' })).toEqual({ verdict: 'work' });
  });
});
