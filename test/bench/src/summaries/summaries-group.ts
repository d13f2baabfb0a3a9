import { createTestNatsServer } from '@palimpsest/adapter-nats/testing';
import { artifactStoreMigrations, PostgresArtifactStore } from '@palimpsest/adapter-postgres';
import { createTestDatabase } from '@palimpsest/adapter-postgres/testing';
import { STREAMS } from '@palimpsest/contracts';
import type { MessageBus } from '@palimpsest/kernel';
import { waitUntil } from '@palimpsest/kernel/testing';
import { PlayedAssembler, publishJobs, sampleJobs } from '@palimpsest/summarizer-worker/testing';
import type { BenchContext, BenchGroup, Row } from '../bench-group.js';
import { fixedLatencyModel, openBus, startFleet, type FleetPorts } from './worker-fleet.js';

const group = 'summaries';
const WORKERS = [1, 2, 4, 8] as const;
/** Far less than real models take, and far more than all the rest of a job. */
const LATENCY_MS = 500;

/** Summaries of a fleet of workers on JetStream and Postgres, with a model of fixed latency: what a worker more is worth. */
export const summariesGroup: BenchGroup = {
  name: group,
  async run(context) {
    const [database, nats, model] = await Promise.all([
      createTestDatabase([artifactStoreMigrations]),
      createTestNatsServer(),
      fixedLatencyModel(LATENCY_MS),
    ]);
    const bus = await openBus(nats.url, 'bench');
    try {
      const artifacts = new PostgresArtifactStore(database.pool);
      return await rowsOf({ context, bus, ports: { natsUrl: nats.url, artifacts, model } });
    } finally {
      await bus.close();
      await model.close();
      await nats.remove();
      await database.drop();
    }
  },
};

type Measured = {
  readonly context: BenchContext;
  readonly bus: MessageBus;
  readonly ports: FleetPorts;
};

async function rowsOf(measured: Measured): Promise<Row[]> {
  const assembler = new PlayedAssembler();
  await assembler.answer(measured.bus);
  await measured.bus.ensureStream(STREAMS.summarize);
  const rows: Row[] = [];
  let alone: number | undefined;
  for (const workers of WORKERS) {
    measured.context.progress(`summaries: ${workers} workers`);
    const perSecond = await summariesPerSecond(workers, assembler, measured);
    alone ??= perSecond;
    rows.push(rowOf(workers, perSecond, alone));
  }
  return rows;
}

/** The jobs stand in the queue before the workers start; the first job of each warms it up and does not count. */
async function summariesPerSecond(
  workers: number,
  assembler: PlayedAssembler,
  { context, bus, ports }: Measured,
): Promise<number> {
  const counted = workers * (context.quick ? 2 : 12);
  const jobs = await sampleJobs(ports.artifacts, `bench-${workers}`, workers + counted);
  const before = assembler.results.length;
  await publishJobs(bus, jobs);
  const stop = await startFleet(workers, ports);
  try {
    const done = (count: number): Promise<unknown> =>
      waitUntil(() => assembler.results.length >= before + count, { withinMs: 120_000 });
    await done(workers);
    const startedAt = performance.now();
    await done(workers + counted);
    return (counted * 1000) / (performance.now() - startedAt);
  } finally {
    await stop();
  }
}

function rowOf(workers: number, perSecond: number, alone: number): Row {
  return {
    group,
    case: `${workers} ${workers === 1 ? 'worker' : 'workers'}, model of ${LATENCY_MS} ms: summaries made`,
    value: perSecond,
    unit: '1/s',
    ratio: perSecond / (alone * workers),
    baseline: `${workers} × 1 worker`,
    target: '≥ 0.9',
  };
}
