import { createModel } from '@palimpsest/adapter-model';
import { startWireServer, type WireReply, type WireServer } from '@palimpsest/adapter-model/testing';
import { connectNatsBus } from '@palimpsest/adapter-nats';
import { createTestNatsServer, type TestNatsServer } from '@palimpsest/adapter-nats/testing';
import { artifactStoreMigrations, PostgresArtifactStore } from '@palimpsest/adapter-postgres';
import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { STREAMS } from '@palimpsest/contracts';
import { silentLogger, type MessageBus } from '@palimpsest/kernel';
import { waitUntil } from '@palimpsest/kernel/testing';
import { SummarizerWorkerModule } from './summarizer-worker.module.js';
import { summaryMaker } from './summary-maker.js';
import { PlayedAssembler, publishJobs, sampleJobs } from './testing/index.js';

const PROSE = 'The parcel has to be in Turku before the fair begins; rail takes two days and road one.';

let database: TestDatabase;
let nats: TestNatsServer;
let artifacts: PostgresArtifactStore;
beforeAll(async () => {
  database = await createTestDatabase([artifactStoreMigrations]);
  artifacts = new PostgresArtifactStore(database.pool);
});
afterAll(() => database.drop());

let closers: (() => Promise<void>)[];
beforeEach(async () => {
  nats = await createTestNatsServer();
  closers = [() => nats.remove()];
});
afterEach(async () => {
  for (const close of closers.reverse()) await close();
});

async function openBus(): Promise<MessageBus> {
  const bus = await connectNatsBus({
    url: nats.url,
    name: 'spec',
    logger: silentLogger,
    streamLimits: { maxBytes: 16 * 1024 * 1024 },
  });
  closers.push(() => bus.close());
  return bus;
}

async function openServer(respond: () => WireReply | Promise<WireReply>): Promise<WireServer> {
  const server = await startWireServer({ respond });
  closers.push(() => server.close());
  return server;
}

let ids = 0;

async function startWorker({ baseUrl }: WireServer): Promise<SummarizerWorkerModule> {
  const model = createModel({ provider: 'openai-compatible', baseUrl, model: 'm-1' });
  const worker = new SummarizerWorkerModule({
    bus: await openBus(),
    logger: silentLogger,
    ids: { requestId: () => `id-${(ids += 1)}` },
    makeSummary: summaryMaker({ artifacts, logger: silentLogger, model: { model } }),
  });
  await worker.onApplicationBootstrap();
  closers.push(() => worker.onModuleDestroy());
  return worker;
}

describe('summarizer workers over NATS and Postgres', () => {
  it.each([1, 2, 4, 8])('share jobs among %i, each done once and by a model asked once', async (workers) => {
    const bus = await openBus();
    const assembler = new PlayedAssembler();
    await assembler.answer(bus);
    await bus.ensureStream(STREAMS.summarize);
    let open: () => void = () => undefined;
    const allAtWork = new Promise<void>((resolve) => (open = resolve));
    const server = await openServer(async () => {
      // No answer before every worker has a job of its own.
      if (server.requests.length >= workers) open();
      await allAtWork;
      return { kind: 'text', text: PROSE };
    });
    for (let started = 0; started < workers; started += 1) await startWorker(server);
    const jobs = await sampleJobs(artifacts, `share-${workers}`, 16);
    await publishJobs(bus, jobs);
    await waitUntil(() => assembler.results.length >= jobs.length, { withinMs: 30_000 });
    const jobIds = assembler.results.map(({ jobId }) => jobId);
    expect(jobIds.sort()).toEqual(jobs.map(({ jobId }) => jobId).sort());
    for (const result of assembler.results) {
      expect(result).toMatchObject({ outcome: 'made', by: 'model' });
      expect(result.invocations).toHaveLength(1);
    }
    const names = assembler.results.flatMap(({ invocations = [] }) =>
      invocations.map((one) => one.invocationId),
    );
    expect(new Set(names).size).toBe(jobs.length);
    expect(server.requests).toHaveLength(jobs.length);
    expect(await bus.deadLetters(STREAMS.summarize, 10)).toEqual([]);
  });

  it('gives the job of a worker that ends to another at once', async () => {
    const bus = await openBus();
    const assembler = new PlayedAssembler();
    await assembler.answer(bus);
    await bus.ensureStream(STREAMS.summarize);
    const server = await openServer(() =>
      server.requests.length === 1 ? { kind: 'hang' } : { kind: 'text', text: PROSE },
    );
    const leaving = await startWorker(server);
    const jobs = await sampleJobs(artifacts, 'leaving', 4);
    await publishJobs(bus, jobs);
    await waitUntil(() => server.requests.length === 1);
    await leaving.onModuleDestroy();
    await startWorker(server);
    await waitUntil(() => assembler.results.length >= jobs.length, { withinMs: 25_000 });
    expect(assembler.results.map(({ jobId }) => jobId).sort()).toEqual(jobs.map(({ jobId }) => jobId));
    expect(server.requests).toHaveLength(jobs.length + 1);
  });

  it('makes summaries without a model while it is away, none of them empty', async () => {
    const bus = await openBus();
    const assembler = new PlayedAssembler();
    await assembler.answer(bus);
    await bus.ensureStream(STREAMS.summarize);
    const server = await openServer(() => ({ kind: 'error', status: 401 }));
    await startWorker(server);
    const jobs = await sampleJobs(artifacts, 'away', 12);
    await publishJobs(bus, jobs);
    await waitUntil(() => assembler.results.length >= jobs.length, { withinMs: 25_000 });
    for (const result of assembler.results)
      expect(result).toMatchObject({ outcome: 'made', by: 'extractive' });
    // The breaker spares a model that has failed five times in a row.
    expect(server.requests).toHaveLength(5);
  });
});
