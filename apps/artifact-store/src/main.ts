import { createPool, isAnswering, PostgresArtifactStore } from '@palimpsest/adapter-postgres';
import { ArtifactStoreModule } from '@palimpsest/artifact-store';
import {
  createLogger,
  processEnvironment,
  readArtifactStoreConfig,
  runProcess,
  runService,
} from '@palimpsest/host';

await runProcess('artifact-store', async () => {
  const config = readArtifactStoreConfig(processEnvironment());
  const logger = createLogger({ service: 'artifact-store', level: config.logLevel });
  const pool = createPool(config.databaseUrl, {
    applicationName: 'palimpsest-artifact-store',
    maxConnections: config.databasePoolSize,
    logger,
  });
  const { host, port, serviceToken } = config;
  await runService({
    module: ArtifactStoreModule.register({
      artifactStore: new PostgresArtifactStore(pool),
      logger,
      listen: { host, port, serviceToken },
    }),
    config,
    logger,
    checks: { database: () => isAnswering(pool) },
    resources: [() => pool.end()],
  });
});
