import {
  AssemblerClient,
  BusEventLog,
  HttpArtifactStore,
  OrchestratorClient,
  RegistryClient,
  ReplayClient,
  RunLogClient,
} from '@palimpsest/adapter-clients';
import { connectNatsBus } from '@palimpsest/adapter-nats';
import { createDatabase, createPool, isAnswering } from '@palimpsest/adapter-postgres';
import { createGatewayApp, GatewayModule } from '@palimpsest/gateway';
import {
  contextDefaultsOf,
  createIdSource,
  createLogger,
  createReadiness,
  gatewayLimitsOf,
  nestLogger,
  processEnvironment,
  readGatewayConfig,
  readHostKey,
  runProcess,
  shutDownOnSignal,
} from '@palimpsest/host';
import { WorkerTokenCounter } from '@palimpsest/tokens';

await runProcess('gateway', async () => {
  const config = readGatewayConfig(processEnvironment());
  const hostKey = config.hostKeyFile === undefined ? undefined : readHostKey(config.hostKeyFile);
  const logger = createLogger({ service: 'gateway', level: config.logLevel });
  const pool = createPool(config.databaseUrl, {
    applicationName: 'palimpsest-gateway',
    maxConnections: config.databasePoolSize,
    logger,
  });
  const bus = await connectNatsBus({ url: config.natsUrl, name: 'gateway', logger });
  const tokens = new WorkerTokenCounter();
  const readiness = createReadiness({ database: () => isAnswering(pool), bus: () => bus.isConnected() });
  const module = GatewayModule.register(
    {
      database: createDatabase(pool),
      eventLog: new BusEventLog(bus),
      runLog: new RunLogClient(bus),
      assembler: new AssemblerClient(bus),
      forks: new ReplayClient(bus),
      workflows: new OrchestratorClient(bus),
      registry: new RegistryClient(bus),
      artifacts: new HttpArtifactStore({
        baseUrl: config.artifactStoreUrl,
        serviceToken: config.serviceToken,
      }),
      bus,
      hostKey,
      tokens,
      ids: createIdSource(),
      logger,
      readiness: () => readiness.report(),
    },
    {
      context: contextDefaultsOf(config),
      maxBodyBytes: config.maxBodyBytes,
      idempotencyLeaseMs: config.idempotencyLeaseMs,
      ...gatewayLimitsOf(config),
      testSeams: config.testSeams,
      environment: config.environment,
      trustedMeasurementKeys: config.trustedMeasurementKeys,
    },
  );
  const app = await createGatewayApp(module, {
    frameworkLogger: nestLogger(logger),
    trustedProxies: config.trustedProxies,
  });
  shutDownOnSignal({
    close: async () => {
      readiness.drain();
      await app.close();
      await bus.close();
      await tokens.close();
      await pool.end();
    },
    timeoutMs: config.shutdownTimeoutMs,
    logger,
  });
  await app.listen({ port: config.port, host: config.host });
  logger.info({ url: await app.getUrl() }, 'Ready');
});
