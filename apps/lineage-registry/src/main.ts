import { BusEventLog, HttpArtifactStore } from '@palimpsest/adapter-clients';
import { connectNatsBus } from '@palimpsest/adapter-nats';
import { createPool, isAnswering } from '@palimpsest/adapter-postgres';
import {
  createIdSource,
  createLogger,
  processEnvironment,
  readRegistryConfig,
  runProcess,
  runService,
} from '@palimpsest/host';
import {
  LineageRegistryModule,
  PostgresRolloutStore,
  PostgresTelemetry,
  PostgresWorkgroupStore,
} from '@palimpsest/lineage-registry';

await runProcess('lineage-registry', async () => {
  const config = readRegistryConfig(processEnvironment());
  const logger = createLogger({ service: 'lineage-registry', level: config.logLevel });
  const pool = createPool(config.databaseUrl, {
    applicationName: 'palimpsest-lineage-registry',
    maxConnections: config.databasePoolSize,
    logger,
  });
  const bus = await connectNatsBus({ url: config.natsUrl, name: 'lineage-registry', logger });
  const artifacts = new HttpArtifactStore({
    baseUrl: config.artifactStoreUrl,
    serviceToken: config.serviceToken,
  });
  await runService({
    module: LineageRegistryModule.register({
      bus,
      eventLog: new BusEventLog(bus),
      artifacts,
      workgroups: new PostgresWorkgroupStore(pool),
      rollouts: new PostgresRolloutStore(pool),
      telemetry: new PostgresTelemetry(pool),
      ids: createIdSource(),
      logger,
      environment: config.environment,
      trustedMeasurementKeys: config.trustedMeasurementKeys,
      sweepMs: config.leaseSweepMs,
    }),
    config,
    logger,
    checks: { database: () => isAnswering(pool), bus: () => bus.isConnected() },
    resources: [() => bus.close(), () => pool.end()],
  });
});
