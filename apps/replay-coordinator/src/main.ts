import {
  AssemblerClient,
  BusEventLog,
  HttpArtifactStore,
  OrchestratorClient,
} from '@palimpsest/adapter-clients';
import { connectNatsBus } from '@palimpsest/adapter-nats';
import { createPool, isAnswering } from '@palimpsest/adapter-postgres';
import { createLogger, processEnvironment, readReplayConfig, runProcess, runService } from '@palimpsest/host';
import { systemClock } from '@palimpsest/kernel';
import { PostgresForkJobs, ReplayCoordinatorModule } from '@palimpsest/replay-coordinator';

await runProcess('replay-coordinator', async () => {
  const config = readReplayConfig(processEnvironment());
  const logger = createLogger({ service: 'replay-coordinator', level: config.logLevel });
  const pool = createPool(config.databaseUrl, {
    applicationName: 'palimpsest-replay-coordinator',
    maxConnections: config.databasePoolSize,
    logger,
  });
  const bus = await connectNatsBus({ url: config.natsUrl, name: 'replay-coordinator', logger });
  const artifacts = new HttpArtifactStore({
    baseUrl: config.artifactStoreUrl,
    serviceToken: config.serviceToken,
  });
  const orchestrator = new OrchestratorClient(bus);
  await runService({
    module: ReplayCoordinatorModule.register({
      eventLog: new BusEventLog(bus),
      artifacts,
      bus,
      jobs: new PostgresForkJobs(pool),
      assembler: new AssemblerClient(bus),
      definitions: orchestrator,
      mocks: orchestrator,
      calls: orchestrator,
      clock: systemClock,
      logger,
    }),
    config,
    logger,
    checks: { database: () => isAnswering(pool), bus: () => bus.isConnected() },
    resources: [() => bus.close(), () => pool.end()],
  });
});
