import { HttpArtifactStore } from '@palimpsest/adapter-clients';
import { createModel } from '@palimpsest/adapter-model';
import { connectNatsBus } from '@palimpsest/adapter-nats';
import {
  createIdSource,
  createLogger,
  processEnvironment,
  readSummarizerConfig,
  runProcess,
  runService,
  summarizerModelOf,
} from '@palimpsest/host';
import { summaryMaker, SummarizerWorkerModule } from '@palimpsest/summarizer-worker';

await runProcess('summarizer-worker', async () => {
  const config = readSummarizerConfig(processEnvironment());
  const logger = createLogger({ service: 'summarizer-worker', level: config.logLevel });
  const bus = await connectNatsBus({ url: config.natsUrl, name: 'summarizer-worker', logger });
  const artifacts = new HttpArtifactStore({
    baseUrl: config.artifactStoreUrl,
    serviceToken: config.serviceToken,
  });
  const named = summarizerModelOf(config);
  const model = named && {
    model: createModel({ ...named, logger }),
    timeoutMs: named.timeoutMs,
    inputTokens: config.summarizerInputTokens,
  };
  await runService({
    module: SummarizerWorkerModule.register({
      bus,
      logger,
      ids: createIdSource(),
      makeSummary: summaryMaker({ artifacts, logger, ...(model && { model }) }),
      concurrency: config.concurrency,
    }),
    config,
    logger,
    checks: { bus: () => bus.isConnected() },
    resources: [() => bus.close()],
  });
});
