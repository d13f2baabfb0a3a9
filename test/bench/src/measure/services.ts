import type { Pool } from 'pg';
import { InProcessBus, MemoryStreamStore } from '@palimpsest/adapter-memory';
import { PostgresArtifactStore, PostgresEventLog } from '@palimpsest/adapter-postgres';
import { STREAMS, summaryJobSchema } from '@palimpsest/contracts';
import { silentLogger, systemClock, type MessageBus } from '@palimpsest/kernel';
import { countTokens } from '@palimpsest/tokens';
import { extractiveSummarizer, makeSummary } from '@palimpsest/transcript';
import { assemblerHandlers, PostgresSummaryJobStore } from '@palimpsest/transcript-assembler';

export type Services = {
  readonly log: PostgresEventLog;
  readonly artifacts: PostgresArtifactStore;
  readonly bus: MessageBus;
  readonly assembler: ReturnType<typeof assemblerHandlers>;
};

/** What a process holds to plan windows: log, content, an assembler and a summarizer worker. */
export async function startServices(pool: Pool): Promise<Services> {
  const log = new PostgresEventLog(pool);
  const artifacts = new PostgresArtifactStore(pool);
  const bus = new InProcessBus({ store: new MemoryStreamStore() });
  const maker = { artifacts, summarizer: extractiveSummarizer(countTokens), count: countTokens };
  const assembler = assemblerHandlers({
    eventLog: log,
    artifactStore: artifacts,
    bus,
    clock: systemClock,
    logger: silentLogger,
    jobs: new PostgresSummaryJobStore(pool),
    makeSummaryHere: (job) => makeSummary(job, maker),
  });
  await bus.ensureStream(STREAMS.summarize);
  await bus.consume({ stream: STREAMS.summarize, durable: 'bench' }, async ({ body }) => {
    await assembler.summaries.complete(await makeSummary(summaryJobSchema.parse(body), maker));
  });
  return { log, artifacts, bus, assembler };
}
