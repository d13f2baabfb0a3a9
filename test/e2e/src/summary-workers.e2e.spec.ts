import { startWireServer, type WireServer } from '@palimpsest/adapter-model/testing';
import { connectNatsBus, type NatsBus } from '@palimpsest/adapter-nats';
import { createTestNatsServer, freePort, type TestNatsServer } from '@palimpsest/adapter-nats/testing';
import { artifactStoreMigrations, PostgresArtifactStore } from '@palimpsest/adapter-postgres';
import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { STREAMS } from '@palimpsest/contracts';
import { silentLogger } from '@palimpsest/kernel';
import { waitUntil } from '@palimpsest/kernel/testing';
import { PlayedAssembler, publishJobs, sampleJobs } from '@palimpsest/summarizer-worker/testing';
import { ServiceProcess } from './service-process.js';

const TOKEN = 'a-token-of-this-spec-and-of-nobody-else';
const PROSE = 'The parcel has to be in Turku before the fair begins; rail takes two days and road one.';

describe('processes that make summaries', () => {
  let database: TestDatabase;
  let nats: TestNatsServer;
  let model: WireServer;
  let bus: NatsBus;
  let artifactsPort: number;
  const assembler = new PlayedAssembler();
  const processes: ServiceProcess[] = [];

  beforeAll(async () => {
    [database, nats, artifactsPort] = await Promise.all([
      createTestDatabase([artifactStoreMigrations]),
      createTestNatsServer(),
      freePort(),
    ]);
    model = await startWireServer({
      respond: ({ index }) => (index === 0 ? { kind: 'hang' } : { kind: 'text', text: PROSE, latencyMs: 50 }),
    });
    bus = await connectNatsBus({
      url: nats.url,
      name: 'spec',
      logger: silentLogger,
      streamLimits: { maxBytes: 16 * 1024 * 1024 },
    });
    await assembler.answer(bus);
    await bus.ensureStream(STREAMS.summarize);
  });
  afterAll(async () => {
    await Promise.all(processes.map((one) => one.end('SIGKILL')));
    await bus.close();
    await model.close();
    await nats.remove();
    await database.drop();
  });

  async function start(app: string, more: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
    const started = new ServiceProcess(app, {
      DATABASE_URL: database.url,
      NATS_URL: nats.url,
      PALIMPSEST_ARTIFACT_STORE_URL: `http://127.0.0.1:${artifactsPort}`,
      PALIMPSEST_SERVICE_TOKEN: TOKEN,
      PALIMPSEST_PORT: String(artifactsPort),
      PALIMPSEST_HEALTH_PORT: '0',
      ...more,
    });
    processes.push(started);
    await started.until('it is ready', () => started.logged('Ready').length > 0);
    return started;
  }

  const startWorker = (): Promise<ServiceProcess> =>
    start('summarizer-worker', {
      PALIMPSEST_SUMMARIZER: 'model',
      PALIMPSEST_MODEL_PROVIDER: 'openai-compatible',
      PALIMPSEST_MODEL_BASE_URL: model.baseUrl,
      PALIMPSEST_MODEL_NAME: 'scripted',
    });

  it('lose no job when one is killed in the middle of it, and do none twice', async () => {
    await start('artifact-store');
    const doomed = await startWorker();
    const jobs = await sampleJobs(new PostgresArtifactStore(database.pool), 'killed', 12);
    await publishJobs(bus, jobs);
    await waitUntil(() => model.requests.length === 1, { withinMs: 20_000 });
    await doomed.end('SIGKILL');
    await Promise.all([startWorker(), startWorker(), startWorker()]);
    // Its job comes to another when it has been silent for the ack wait.
    await waitUntil(() => assembler.results.length >= jobs.length, { withinMs: 120_000 });
    const done = assembler.results.map(({ jobId }) => jobId).sort();
    expect(done).toEqual(jobs.map(({ jobId }) => jobId).sort());
    for (const result of assembler.results) {
      expect(result).toMatchObject({ outcome: 'made', by: 'model' });
      expect(result.invocations).toHaveLength(1);
    }
    expect(model.requests).toHaveLength(jobs.length + 1);
    expect(await bus.deadLetters(STREAMS.summarize, 10)).toEqual([]);
  });

  it('do not start with a model that nobody named', async () => {
    const unnamed = new ServiceProcess('summarizer-worker', {
      NATS_URL: nats.url,
      PALIMPSEST_ARTIFACT_STORE_URL: `http://127.0.0.1:${artifactsPort}`,
      PALIMPSEST_SERVICE_TOKEN: TOKEN,
      PALIMPSEST_SUMMARIZER: 'model',
    });
    await unnamed.end();
    expect(unnamed.exitCode).not.toBe(0);
    expect(unnamed.lines.map(({ text }) => text).join('\n')).toContain('PALIMPSEST_MODEL_PROVIDER');
  });
});
