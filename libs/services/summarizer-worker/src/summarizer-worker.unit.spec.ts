import { InProcessBus, MemoryArtifactStore, MemoryStreamStore } from '@palimpsest/adapter-memory';
import {
  ASSEMBLER_SUBJECTS,
  claimSummarySchema,
  STREAMS,
  summarizeSubject,
  type ClaimSummary,
  type JsonObject,
  type MessageContent,
  type SummaryClaim,
  type SummaryContent,
  type SummaryJob,
  type SummaryResult,
} from '@palimpsest/contracts';
import { ServiceUnavailableError, type Logger, type Summarizer } from '@palimpsest/kernel';
import { waitUntil } from '@palimpsest/kernel/testing';
import { countTokens } from '@palimpsest/tokens';
import { extractiveSummarizer, makeSummary, renderSummary } from '@palimpsest/transcript';
import type { SummaryCall } from './model-summarizer/model-summarizer.js';
import { SummarizerWorkerModule } from './summarizer-worker.module.js';

const SECRET_PLAN = 'The shipment must leave from Turku';
const run = { tenantId: 'acme', runId: 'run-1' };

let bus: InProcessBus;
let artifacts: MemoryArtifactStore;
let results: SummaryResult[];
let workers: SummarizerWorkerModule[];
let logged: string[];
/** Claims as the assembler was asked, and what it answers to them. */
let claims: ClaimSummary[];
let verdictOn: (claim: ClaimSummary) => SummaryClaim['verdict'];
let tick: () => void;

beforeEach(async () => {
  bus = new InProcessBus({ store: new MemoryStreamStore() });
  artifacts = new MemoryArtifactStore();
  [results, workers, logged, claims] = [[], [], [], []];
  verdictOn = () => 'work';
  await bus.ensureStream(STREAMS.summarize);
});

afterEach(async () => {
  for (const worker of workers) await worker.onModuleDestroy();
  await bus.close();
});

/** Time that passes as fast as everything that waits for no timer has run. */
class HurriedTime {
  #now = Date.UTC(2030, 0, 1);
  #timers: { at: number; run: () => void }[] = [];

  now(): Date {
    return new Date(this.#now);
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { at: this.#now + delayMs, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  async passUntil(done: () => Promise<boolean>): Promise<void> {
    while (!(await done())) {
      for (let turn = 0; turn < 8; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      const [next] = this.#timers.sort((a, b) => a.at - b.at);
      if (!next) continue;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
  }
}

const record = (fields: object, message: string): void =>
  void logged.push(JSON.stringify({ fields, message }));
const logger: Logger = { debug: record, info: record, warn: record, error: record };

type WorkerOptions = {
  summarizer?: Summarizer;
  beforeEach?: (job: SummaryJob, call: Required<SummaryCall>) => void | Promise<void>;
};

let madeIds = 0;
const ids = { requestId: () => `id-${(madeIds += 1)}` };

async function startWorker({ summarizer, beforeEach: before }: WorkerOptions = {}): Promise<void> {
  const maker = {
    artifacts,
    summarizer: summarizer ?? extractiveSummarizer(countTokens),
    count: countTokens,
  };
  const makeSummaryOnce = async (job: SummaryJob, call: Required<SummaryCall>): Promise<SummaryResult> => {
    await before?.(job, call);
    return makeSummary(job, maker);
  };
  const startTicking = (_: number, act: () => void): (() => void) => {
    tick = act;
    return () => (tick = () => undefined);
  };
  const worker = new SummarizerWorkerModule({
    bus,
    logger,
    ids,
    makeSummary: makeSummaryOnce,
    startTicking,
  });
  workers.push(worker);
  await worker.onApplicationBootstrap();
}

async function startAssembler(): Promise<void> {
  await answerClaims();
  await bus.respond(ASSEMBLER_SUBJECTS.completeSummary, 'assembler', async (body) => {
    results.push(body as SummaryResult);
    return body;
  });
}

async function answerClaims(): Promise<void> {
  await bus.respond(ASSEMBLER_SUBJECTS.claimSummary, 'assembler', async (body) => {
    const claim = claimSummarySchema.parse(body);
    claims.push(claim);
    return { verdict: verdictOn(claim) };
  });
}

async function storeMessages(...contents: readonly MessageContent[]): Promise<readonly string[]> {
  return artifacts.put(
    run.tenantId,
    run.runId,
    contents.map((content) => ({ type: 'message' as const, content })),
  );
}

function jobOf(jobId: string, artifactIds: readonly string[], rest: Partial<SummaryJob> = {}): SummaryJob {
  return {
    jobId,
    ...run,
    tokenCounter: 'o200k_base',
    maxTokens: 120,
    absorbed: [],
    messages: artifactIds.map((artifactId, sequence) => ({ sequence, artifactId })),
    ...rest,
  };
}

function publish(job: SummaryJob | JsonObject, id: string): Promise<void> {
  return bus.publish(STREAMS.summarize, {
    id,
    subject: summarizeSubject(run.tenantId),
    body: job,
  });
}

async function answered(count = 1): Promise<readonly SummaryResult[]> {
  await waitUntil(() => results.length >= count, { what: 'the answers of the workers' });
  return results;
}

async function summaryOf(result: SummaryResult | undefined): Promise<SummaryContent> {
  if (result?.outcome !== 'made') throw new TypeError('no summary was made');
  const reading = (await artifacts.get(run.tenantId, [result.summaryRef])).get(result.summaryRef);
  return (reading as { content: unknown } | undefined)?.content as SummaryContent;
}

const order: MessageContent = { role: 'user', text: `Order ZX-88121. ${SECRET_PLAN}.` };
const parcel: MessageContent = { role: 'tool', text: '{"parcel": "PX-2260-B"}', toolCallId: 'c' };

function saying(text: string | undefined): Summarizer {
  const summary = text === undefined ? undefined : { text, facts: [] };
  return { summarize: async () => ({ summary, by: 'extractive', invocations: [] }) };
}

describe('the summarizer worker', () => {
  it('stores a summary of the messages and tells the assembler', async () => {
    await startAssembler();
    await startWorker();
    const ids = await storeMessages(order, parcel);
    await publish(jobOf('job-1', ids), 'job-1');
    const [result] = await answered();
    const summary = await summaryOf(result);
    expect(summary.text).toContain('ZX-88121');
    expect(summary.text).toContain('PX-2260-B');
    expect(result).toMatchObject({
      outcome: 'made',
      jobId: 'job-1',
      tokens: countTokens(renderSummary(summary.text), 'o200k_base'),
    });
  });

  it('absorbs the previous summary', async () => {
    await startAssembler();
    await startWorker();
    await publish(jobOf('job-1', await storeMessages(order)), 'job-1');
    const [first] = await answered();
    const previousRef = first?.outcome === 'made' ? first.summaryRef : '';
    await publish(jobOf('job-2', await storeMessages(parcel), { absorbed: [previousRef] }), 'job-2');
    const [, second] = await answered(2);
    expect((await summaryOf(second)).text).toContain('ZX-88121');
  });

  it('leaves erased messages out, and is erased with any message it stands for', async () => {
    await startAssembler();
    await startWorker();
    const ids = await storeMessages(order, parcel, { role: 'user', text: 'Invoice INV-4410.' });
    await artifacts.erase(run.tenantId, ids[0] ?? '');
    await publish(jobOf('job-1', ids), 'job-1');
    const [result] = await answered();
    const summary = await summaryOf(result);
    expect(summary.text).not.toContain('ZX-88121');
    expect(summary.text).toContain('INV-4410');
    const erased = await artifacts.erase(run.tenantId, ids[1] ?? '');
    expect(erased).toContain(result?.outcome === 'made' ? result.summaryRef : '');
  });

  it('answers the same job twice with the same artifact', async () => {
    await startAssembler();
    await startWorker();
    const job = jobOf('job-1', await storeMessages(order, parcel));
    await publish(job, 'delivery-1');
    await publish(job, 'delivery-2');
    const [first, second] = await answered(2);
    expect(second).toEqual(first);
  });

  it.each<[string, Summarizer, string]>([
    ['nothing', saying(undefined), 'nothing worth keeping'],
    ['blank text', saying(' \n'), 'empty'],
    ['a lone surrogate', saying('a\ud800'), 'ill-formed'],
    ['too much', saying('word '.repeat(500)), 'over its cap'],
  ])('refuses a summarizer that says %s', async (_, summarizer, reason) => {
    await startAssembler();
    await startWorker({ summarizer });
    await publish(jobOf('job-1', await storeMessages(order)), 'job-1');
    expect(await answered()).toEqual([{ outcome: 'refused', jobId: 'job-1', tenantId: 'acme', reason }]);
  });

  it('buries what is no job at once, and goes on', async () => {
    await startAssembler();
    await startWorker();
    await publish({ jobId: 'poison', text: SECRET_PLAN }, 'poison');
    await publish(jobOf('job-2', await storeMessages(order)), 'job-2');
    await answered();
    const letters = await bus.deadLetters(STREAMS.summarize, 10);
    expect(letters).toMatchObject([{ id: 'poison', attempts: 1, code: 'validation_error' }]);
  });

  it('waits for a message that is not there yet, then buries the job', async () => {
    const time = new HurriedTime();
    bus = new InProcessBus({ store: new MemoryStreamStore(), clock: time, timers: time });
    await bus.ensureStream(STREAMS.summarize);
    await startAssembler();
    await startWorker();
    const begin = time.now().getTime();
    await publish(jobOf('job-1', [`art_${'x'.repeat(32)}`]), 'job-1');
    await time.passUntil(async () => (await bus.deadLetters(STREAMS.summarize, 10)).length > 0);
    const [letter] = await bus.deadLetters(STREAMS.summarize, 10);
    expect(letter).toMatchObject({ id: 'job-1', code: 'service_unavailable' });
    expect(letter?.attempts).toBeGreaterThan(5);
    expect(time.now().getTime() - begin).toBeGreaterThan(60_000);
    expect(results).toEqual([]);
  });

  it('keeps a job until the assembler has its answer', async () => {
    let calls = 0;
    await answerClaims();
    await bus.respond(ASSEMBLER_SUBJECTS.completeSummary, 'assembler', async (body) => {
      calls += 1;
      if (calls < 3) throw new ServiceUnavailableError('The database', { retryAfterMs: 1 });
      results.push(body as SummaryResult);
      return body;
    });
    await startWorker();
    await publish(jobOf('job-1', await storeMessages(order)), 'job-1');
    expect(await answered()).toMatchObject([{ outcome: 'made', jobId: 'job-1' }]);
    expect(calls).toBe(3);
  });

  it('shares the work with other workers: every job is done once', async () => {
    await startAssembler();
    let release: () => void = () => undefined;
    const open = new Promise<void>((resolve) => (release = resolve));
    const started: string[][] = [[], []];
    for (const mine of started) {
      await startWorker({
        beforeEach: (job) => {
          mine.push(job.jobId);
          return open;
        },
      });
    }
    const ids = await storeMessages(order);
    const jobs = Array.from({ length: 6 }, (_, index) => `job-${index}`);
    for (const id of jobs) await publish(jobOf(id, ids), id);
    await waitUntil(() => started.every((mine) => mine.length > 0), { what: 'both workers at work' });
    release();
    const done = await answered(6);
    expect(done.map(({ jobId }) => jobId).sort()).toEqual(jobs);
    expect(started.flat().sort()).toEqual(jobs);
  });

  it('does no job that has its answer', async () => {
    verdictOn = ({ jobId }) => (jobId === 'job-1' ? 'done' : 'work');
    await startAssembler();
    await startWorker();
    const ids = await storeMessages(order);
    for (const id of ['job-1', 'job-2']) await publish(jobOf(id, ids), id);
    expect(await answered()).toMatchObject([{ jobId: 'job-2' }]);
    expect(claims.map(({ jobId }) => jobId)).toEqual(['job-1', 'job-2']);
    expect(await bus.deadLetters(STREAMS.summarize, 10)).toEqual([]);
  });

  it('leaves a job alone that somebody else works on, and looks at it again', async () => {
    const time = new HurriedTime();
    bus = new InProcessBus({ store: new MemoryStreamStore(), clock: time, timers: time });
    await bus.ensureStream(STREAMS.summarize);
    let asked = 0;
    verdictOn = () => ((asked += 1) < 4 ? 'taken' : 'work');
    await startAssembler();
    let begun = 0;
    await startWorker({ beforeEach: () => void (begun += 1) });
    await publish(jobOf('job-1', await storeMessages(order)), 'job-1');
    await time.passUntil(async () => results.length > 0);
    expect([asked, begun]).toEqual([4, 1]);
  });

  it('keeps its claim while it works, and lets it go where it fails', async () => {
    await startAssembler();
    let release: () => void = () => undefined;
    await startWorker({
      beforeEach: async () => {
        await new Promise<void>((resolve) => (release = resolve));
        if (claims.length < 4) throw new ServiceUnavailableError('The store', { retryAfterMs: 1 });
      },
    });
    await publish(jobOf('job-1', await storeMessages(order)), 'job-1');
    await waitUntil(() => claims.length === 1);
    tick();
    await waitUntil(() => claims.length === 2);
    release();
    await waitUntil(() => claims.length === 4);
    release();
    await waitUntil(() => {
      release();
      return results.length === 1;
    });
    expect(new Set(claims.map(({ claimant }) => claimant)).size).toBe(1);
    expect(claims.map(({ leaseMs }) => leaseMs)).toEqual([30_000, 30_000, 1000, 30_000]);
  });

  it.each(['taken', 'done'] as const)('ends its work where its claim is %s by now', async (verdict) => {
    await startAssembler();
    let aborted = false;
    await startWorker({
      beforeEach: async (_, { signal }) => {
        if (aborted) return;
        await waitUntil(() => signal.aborted);
        aborted = true;
        throw new ServiceUnavailableError('The model', { retryAfterMs: 1 });
      },
    });
    await publish(jobOf('job-1', await storeMessages(order)), 'job-1');
    await waitUntil(() => claims.length === 1);
    verdictOn = () => verdict;
    tick();
    await waitUntil(() => aborted);
    expect(results).toEqual([]);
  });

  it('gives a job up when it ends, for another worker to do', async () => {
    await startAssembler();
    let begun = 0;
    await startWorker({
      beforeEach: async (_, { signal }) => {
        begun += 1;
        await waitUntil(() => signal.aborted);
        throw new ServiceUnavailableError('The model', { retryAfterMs: 1 });
      },
    });
    await publish(jobOf('job-1', await storeMessages(order)), 'job-1');
    await waitUntil(() => begun === 1);
    await workers.pop()?.onModuleDestroy();
    await startWorker();
    expect(await answered()).toMatchObject([{ outcome: 'made', jobId: 'job-1' }]);
  });

  it('names every making of a summary, within what an invocation may be called', async () => {
    await startAssembler();
    const names: string[] = [];
    await startWorker({ beforeEach: (_, { invocation }) => void names.push(invocation) });
    const artifactIds = await storeMessages(order);
    const jobId = 'j'.repeat(128);
    for (const id of ['a', 'b']) await publish(jobOf(jobId, artifactIds), id);
    await answered(2);
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name.length).toBeLessThan(120);
    for (const { claimant } of claims) expect(claimant.length).toBeLessThanOrEqual(128);
  });

  it('tells a summary that was paid for until it is heard, and makes it once', async () => {
    let calls = 0;
    await answerClaims();
    await bus.respond(ASSEMBLER_SUBJECTS.completeSummary, 'assembler', async (body) => {
      calls += 1;
      if (calls < 3) throw new ServiceUnavailableError('The database', { retryAfterMs: 1 });
      results.push(body as SummaryResult);
      return body;
    });
    let made = 0;
    const usage = { provider: 'p', model: 'm', inputTokens: 1, outputTokens: 1 };
    const paid: Summarizer = {
      summarize: async () => {
        made += 1;
        return { summary: undefined, by: 'extractive', invocations: [{ invocationId: 'i.0', usage }] };
      },
    };
    await startWorker({ summarizer: paid });
    await publish(jobOf('job-1', await storeMessages(order)), 'job-1');
    expect(await answered()).toMatchObject([{ outcome: 'refused', invocations: [{ usage }] }]);
    expect([calls, made]).toEqual([3, 1]);
  });

  it('logs ids and counts, never content', async () => {
    await startAssembler();
    await startWorker();
    await publish(jobOf('job-1', await storeMessages(order)), 'job-1');
    await answered();
    await waitUntil(() => logged.length > 0);
    expect(logged.join('')).toContain('job-1');
    expect(logged.join('')).not.toMatch(/ZX-88121|Turku/);
  });
});
