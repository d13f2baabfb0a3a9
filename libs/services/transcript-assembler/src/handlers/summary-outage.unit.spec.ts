import { STREAMS, summaryJobSchema, type ContextSettings, type SummaryContent } from '@palimpsest/contracts';
import { jest } from '@jest/globals';
import { AssemblerHarness, RUN } from '../testing/assembler-harness.js';
import type { AssemblerHandlers } from './answer-requests.js';

const SETTINGS: ContextSettings = {
  transcriptTokenBudget: 300,
  tokenCounter: 'o200k_base',
  keepLastTurns: 1,
  strategy: 'sliding-window',
};
const DEADLINE_MS = 2000;
const COOL_DOWN_MS = 15_000;
const STEP_MS = 100;
/** Three minutes. */
const TURNS = 60;
const TURN_MS = 3000;

const said = (turn: number) => ({
  role: 'user' as const,
  text: `Step ${turn}: ticket OPS-${1000 + turn} is due on 2026-03-04. `.repeat(4),
});

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
});
afterEach(() => {
  jest.useRealTimers();
});

/** The answer, and how long the fake clock ran until it came. */
async function timed<Answer>(asked: Promise<Answer>): Promise<{ answer: Answer; waited: number }> {
  const since = Date.now();
  let isDone = false;
  const settled = asked.finally(() => (isDone = true));
  settled.catch(() => undefined);
  for (let turn = 0; !isDone; turn += 1) {
    await new Promise(setImmediate);
    if (turn % 20 === 19) await jest.advanceTimersByTimeAsync(STEP_MS);
  }
  return { answer: await settled, waited: Date.now() - since };
}

/** One turn after another, a few seconds of the caller's own between them. */
async function turns(harness: AssemblerHarness, handlers: AssemblerHandlers, count: number) {
  const waits: number[] = [];
  for (let turn = 0; turn < count; turn += 1) {
    await harness.say(said(waits.length), said(100 + waits.length));
    const { answer, waited } = await timed(handlers.planWindow.handle({ ...RUN, asOfSequence: 0 }));
    expect(answer.window.tokenCount).toBeLessThanOrEqual(SETTINGS.transcriptTokenBudget);
    waits.push(waited);
    await jest.advanceTimersByTimeAsync(TURN_MS);
  }
  return waits;
}

async function summaries(harness: AssemblerHarness): Promise<SummaryContent[]> {
  const { events } = await harness.log.readRun({ ...RUN, fromSequence: 0, types: ['context.summarized'] });
  const refs = events.map(({ payload }) => payload['summaryRef'] as string);
  const readings = await harness.artifacts.get(RUN.tenantId, refs);
  return [...readings.values()].map((reading) => (reading as { content: unknown }).content as SummaryContent);
}

async function outage(prepareAhead = false) {
  const harness = new AssemblerHarness(SETTINGS);
  const handlers = harness.handlers({
    deadlineMs: DEADLINE_MS,
    assembler: { summaryCoolDownMs: COOL_DOWN_MS, prepareAhead },
  });
  await harness.start();
  return { harness, handlers };
}

describe('summarizer workers that answer nothing for minutes', () => {
  it('delay a window by the deadline at most, a few of them, and no summary is empty', async () => {
    const { harness, handlers } = await outage();
    const waits = await turns(harness, handlers, TURNS);
    expect(Math.max(...waits)).toBeLessThanOrEqual(DEADLINE_MS + STEP_MS);
    // three deadlines, then a trial whenever a cool-down has passed
    const waited = waits.filter((wait) => wait > STEP_MS).length;
    expect(waited).toBeGreaterThan(3);
    expect(waited).toBeLessThanOrEqual(3 + Math.ceil(waits.length * (TURN_MS / COOL_DOWN_MS)));
    const made = await summaries(harness);
    expect(made.length).toBeGreaterThan(2 * waited);
    for (const { text } of made) expect(text).toMatch(/OPS-\d+/);
  }, 30_000);

  it('are used again when they answer a trial', async () => {
    const { harness, handlers } = await outage();
    await turns(harness, handlers, 12);
    const { here } = harness.done;
    await harness.work(handlers);
    await jest.advanceTimersByTimeAsync(COOL_DOWN_MS);
    const waits = await turns(harness, handlers, 10);
    expect(harness.done.byWorkers).toBeGreaterThan(5);
    expect(harness.done.here).toBe(here);
    expect(Math.max(...waits)).toBeLessThanOrEqual(DEADLINE_MS + STEP_MS);
  });

  it('find the jobs that were given ahead when they are back', async () => {
    const { harness, handlers } = await outage(true);
    await turns(harness, handlers, 12);
    const [pending] = await harness.jobs.pending(10);
    expect(pending).toBeDefined();
    const seen: string[] = [];
    await harness.bus.consume({ stream: STREAMS.summarize, durable: 'late' }, async ({ body }) => {
      const job = summaryJobSchema.parse(body);
      const claim = { jobId: job.jobId, tenantId: job.tenantId, claimant: 'late', leaseMs: 10_000 };
      const { verdict } = await handlers.summaries.claim(claim);
      if (verdict !== 'work') return;
      seen.push(job.jobId);
      await handlers.summaries.complete(await harness.make(job));
    });
    for (let turn = 0; turn < 50 && seen.length === 0; turn += 1)
      await jest.advanceTimersByTimeAsync(STEP_MS);
    expect(seen).toEqual([pending?.jobId]);
    expect(await harness.jobs.pending(10)).toEqual([]);
  });
});
