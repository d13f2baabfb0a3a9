import { setImmediate } from 'node:timers/promises';
import { BusEventLog, HttpArtifactStore } from '@palimpsest/adapter-clients';
import { connectNatsBus } from '@palimpsest/adapter-nats';
import { createPool, isAnswering } from '@palimpsest/adapter-postgres';
import {
  createLogger,
  processEnvironment,
  readAssemblerConfig,
  runProcess,
  runService,
  summaryPlansOf,
} from '@palimpsest/host';
import { systemClock } from '@palimpsest/kernel';
import { countTokens } from '@palimpsest/tokens';
import { extractiveSummarizer, makeSummary } from '@palimpsest/transcript';
import { PostgresSummaryJobStore, TranscriptAssemblerModule } from '@palimpsest/transcript-assembler';

await runProcess('transcript-assembler', async () => {
  const config = readAssemblerConfig(processEnvironment());
  const logger = createLogger({ service: 'transcript-assembler', level: config.logLevel });
  const pool = createPool(config.databaseUrl, {
    applicationName: 'palimpsest-transcript-assembler',
    maxConnections: config.databasePoolSize,
    logger,
  });
  const bus = await connectNatsBus({ url: config.natsUrl, name: 'transcript-assembler', logger });
  const artifactStore = new HttpArtifactStore({
    baseUrl: config.artifactStoreUrl,
    serviceToken: config.serviceToken,
  });
  const here = {
    artifacts: artifactStore,
    summarizer: extractiveSummarizer(countTokens, { pause: setImmediate }),
    count: countTokens,
  };
  await runService({
    module: TranscriptAssemblerModule.register({
      eventLog: new BusEventLog(bus),
      artifactStore,
      bus,
      clock: systemClock,
      logger,
      jobs: new PostgresSummaryJobStore(pool),
      makeSummaryHere: (job) => makeSummary(job, here),
      summaryDeadlineMs: config.summaryDeadlineMs,
      ...summaryPlansOf(config),
    }),
    config,
    logger,
    checks: { database: () => isAnswering(pool), bus: () => bus.isConnected() },
    resources: [() => bus.close(), () => pool.end()],
  });
});
