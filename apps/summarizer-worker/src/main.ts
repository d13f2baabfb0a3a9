import { setImmediate } from 'node:timers/promises';
import { HttpArtifactStore } from '@palimpsest/adapter-clients';
import { connectNatsBus } from '@palimpsest/adapter-nats';
import {
  createLogger,
  processEnvironment,
  readSummarizerConfig,
  runProcess,
  runService,
} from '@palimpsest/host';
import { SummarizerWorkerModule } from '@palimpsest/summarizer-worker';
import { countTokens } from '@palimpsest/tokens';
import { extractiveSummarizer, makeSummary } from '@palimpsest/transcript';

await runProcess('summarizer-worker', async () => {
  const config = readSummarizerConfig(processEnvironment());
  const logger = createLogger({ service: 'summarizer-worker', level: config.logLevel });
  const bus = await connectNatsBus({ url: config.natsUrl, name: 'summarizer-worker', logger });
  const artifacts = new HttpArtifactStore({
    baseUrl: config.artifactStoreUrl,
    serviceToken: config.serviceToken,
  });
  const ports = {
    artifacts,
    summarizer: extractiveSummarizer(countTokens, { pause: setImmediate }),
    count: countTokens,
  };
  await runService({
    module: SummarizerWorkerModule.register({
      bus,
      logger,
      makeSummary: (job) => makeSummary(job, ports),
      concurrency: config.concurrency,
    }),
    config,
    logger,
    checks: { bus: () => bus.isConnected() },
    resources: [() => bus.close()],
  });
});
