import {
  createLogger,
  processEnvironment,
  readAllInOneConfig,
  runProcess,
  shutDownOnSignal,
} from '@palimpsest/host';
import { startAllInOne } from './start-all-in-one.js';

await runProcess('all-in-one', async () => {
  const config = readAllInOneConfig(processEnvironment());
  const logger = createLogger({ service: 'all-in-one', level: config.logLevel });
  const running = await startAllInOne({ config, logger });
  shutDownOnSignal({ close: () => running.close(), timeoutMs: config.shutdownTimeoutMs, logger });
  logger.info({ url: running.url }, 'Ready');
});
