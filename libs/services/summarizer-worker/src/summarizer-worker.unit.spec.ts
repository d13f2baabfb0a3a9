import { InProcessBus, MemoryArtifactStore, MemoryStreamStore } from '@palimpsest/adapter-memory';
import {
  ASSEMBLER_SUBJECTS,
  STREAMS,
  summarizeSubject,
  type JsonObject,
  type MessageContent,
  type SummaryContent,
  type SummaryJob,
  type SummaryResult,
} from '@palimpsest/contracts';
import { ServiceUnavailableError, type Logger, type Summarizer } from '@palimpsest/kernel';
import { waitUntil } from '@palimpsest/kernel/testing';
import { countTokens } from '@palimpsest/tokens';
import { extractiveSummarizer, makeSummary, renderSummary } from '@palimpsest/transcript';
import { SummarizerWorkerModule } from './summarizer-worker.module.js';

const SECRET_PLAN = 'The shipment must leave from Turku';
const run = { tenantId: 'acme', runId: 'run-1' };

let bus: InProcessBus;
let artifacts: MemoryArtifactStore;
let results: SummaryResult[];
let workers: SummarizerWorkerModule[];
let logged: string[];

beforeEach(async () => {
  bus = new InProcessBus({ store: new MemoryStreamStore() });
  artifacts = new MemoryArtifactStore();
  [results, workers, logged] = [[], [], []];
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

type WorkerOptions = { summarizer?: Summarizer; beforeEach?: (job: SummaryJob) => void | Promise<void> };

async function startWorker({ summarizer, beforeEach: before }: WorkerOptions = {}): Promise<void> {
  const maker = {
    artifacts,
    summarizer: summarizer ?? extractiveSummarizer(countTokens),
    count: countTokens,
  };
  const makeSummaryOnce = async (job: SummaryJob): Promise<SummaryResult> => {
    await before?.(job);
    return makeSummary(job, maker);
  };
  const worker = new SummarizerWorkerModule({ bus, logger, makeSummary: makeSummaryOnce });
  workers.push(worker);
  await worker.onApplicationBootstrap();
}

async function startAssembler(): Promise<void> {
  await bus.respond(ASSEMBLER_SUBJECTS.completeSummary, 'assembler', async (body) => {
    results.push(body as SummaryResult);
    return body;
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
    messages: artifactIds.map((artifactId, sequence) => ({ sequence, artifactId })),
    ...rest,
  };
}

function publish(job: SummaryJob | JsonObject, id: string): Promise<void> {
  return bus.publish(STREAMS.summarize, {
    id,
    subject: summarizeSubject(run.tenantId),
    body: job as JsonObject,
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
    await publish(jobOf('job-2', await storeMessages(parcel), { previousRef }), 'job-2');
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
    ['nothing', { summarize: async () => undefined }, 'nothing worth keeping'],
    ['blank text', { summarize: async () => ({ text: ' \n', facts: [] }) }, 'empty'],
    ['a lone surrogate', { summarize: async () => ({ text: 'a\ud800', facts: [] }) }, 'ill-formed'],
    ['too much', { summarize: async () => ({ text: 'word '.repeat(500), facts: [] }) }, 'over its cap'],
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
