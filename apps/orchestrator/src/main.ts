import { AssemblerClient, BusEventLog, HttpArtifactStore, RunLogClient } from '@palimpsest/adapter-clients';
import { createModel } from '@palimpsest/adapter-model';
import { connectNatsBus } from '@palimpsest/adapter-nats';
import { createPool, isAnswering } from '@palimpsest/adapter-postgres';
import {
  createLogger,
  modelConfigOf,
  processEnvironment,
  readOrchestratorConfig,
  runProcess,
  runService,
} from '@palimpsest/host';
import { systemClock } from '@palimpsest/kernel';
import {
  OrchestratorModule,
  PostgresDefinitionStore,
  PostgresInvocationStore,
  PostgresMockProgramStore,
  PostgresSideEffectStore,
  PostgresTimerStore,
} from '@palimpsest/orchestrator';
import { WorkerTokenCounter } from '@palimpsest/tokens';

await runProcess('orchestrator', async () => {
  const config = readOrchestratorConfig(processEnvironment());
  const logger = createLogger({ service: 'orchestrator', level: config.logLevel });
  const pool = createPool(config.databaseUrl, {
    applicationName: 'palimpsest-orchestrator',
    maxConnections: config.databasePoolSize,
    logger,
  });
  const bus = await connectNatsBus({ url: config.natsUrl, name: 'orchestrator', logger });
  const artifacts = new HttpArtifactStore({
    baseUrl: config.artifactStoreUrl,
    serviceToken: config.serviceToken,
  });
  const tokens = new WorkerTokenCounter();
  const named = modelConfigOf(config);
  const model = named && {
    model: createModel({ ...named, logger }),
    names: { provider: named.provider, model: named.model, allowed: config.modelAllowed },
    timeoutMs: named.timeoutMs,
    windows: new AssemblerClient(bus),
    artifacts,
  };
  await runService({
    module: OrchestratorModule.register({
      eventLog: new BusEventLog(bus),
      bus,
      definitions: new PostgresDefinitionStore(pool),
      timers: new PostgresTimerStore(pool),
      childRuns: new RunLogClient(bus),
      tokens,
      invocations: new PostgresInvocationStore(pool),
      model,
      mockPrograms: config.testSeams ? new PostgresMockProgramStore(pool) : undefined,
      sideEffects: config.testSeams ? new PostgresSideEffectStore(pool) : undefined,
      clock: systemClock,
      logger,
      workflowsDirectory: config.workflowsDirectory,
      conformanceFixtures: config.conformanceFixtures,
      concurrency: config.orchestratorConcurrency,
    }),
    config,
    logger,
    checks: { database: () => isAnswering(pool), bus: () => bus.isConnected() },
    resources: [() => bus.close(), () => tokens.close(), () => pool.end()],
  });
});
