import { BusEventLog, RunLogClient } from '@palimpsest/adapter-clients';
import { connectNatsBus } from '@palimpsest/adapter-nats';
import { createPool, isAnswering } from '@palimpsest/adapter-postgres';
import {
  createLogger,
  processEnvironment,
  readOrchestratorConfig,
  runProcess,
  runService,
} from '@palimpsest/host';
import { systemClock } from '@palimpsest/kernel';
import { OrchestratorModule, PostgresDefinitionStore, PostgresTimerStore } from '@palimpsest/orchestrator';

await runProcess('orchestrator', async () => {
  const config = readOrchestratorConfig(processEnvironment());
  const logger = createLogger({ service: 'orchestrator', level: config.logLevel });
  const pool = createPool(config.databaseUrl, {
    applicationName: 'palimpsest-orchestrator',
    maxConnections: config.databasePoolSize,
    logger,
  });
  const bus = await connectNatsBus({ url: config.natsUrl, name: 'orchestrator', logger });
  await runService({
    module: OrchestratorModule.register({
      eventLog: new BusEventLog(bus),
      bus,
      definitions: new PostgresDefinitionStore(pool),
      timers: new PostgresTimerStore(pool),
      childRuns: new RunLogClient(bus),
      clock: systemClock,
      logger,
      workflowsDirectory: config.workflowsDirectory,
      conformanceFixtures: config.conformanceFixtures,
      concurrency: config.orchestratorConcurrency,
    }),
    config,
    logger,
    checks: { database: () => isAnswering(pool), bus: () => bus.isConnected() },
    resources: [() => bus.close(), () => pool.end()],
  });
});
