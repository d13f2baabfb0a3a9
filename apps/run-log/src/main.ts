import { connectNatsBus } from '@palimpsest/adapter-nats';
import { createPool, isAnswering, PostgresEventLog } from '@palimpsest/adapter-postgres';
import { createLogger, processEnvironment, readRunLogConfig, runProcess, runService } from '@palimpsest/host';
import { systemClock } from '@palimpsest/kernel';
import { PostgresCheckpoints, RunLogModule, wakeListeners } from '@palimpsest/run-log';

await runProcess('run-log', async () => {
  const config = readRunLogConfig(processEnvironment());
  const logger = createLogger({ service: 'run-log', level: config.logLevel });
  const pool = createPool(config.databaseUrl, {
    applicationName: 'palimpsest-run-log',
    maxConnections: config.databasePoolSize,
    logger,
  });
  const bus = await connectNatsBus({ url: config.natsUrl, name: 'run-log', logger });
  const eventLog = new PostgresEventLog(pool, { onGrown: wakeListeners(bus) });
  const checkpoints = new PostgresCheckpoints(pool);
  await runService({
    module: RunLogModule.register({ eventLog, bus, clock: systemClock, logger, checkpoints }),
    config,
    logger,
    checks: { database: () => isAnswering(pool), bus: () => bus.isConnected() },
    resources: [() => bus.close(), () => pool.end()],
  });
});
