import { createLogger } from '../logging/create-logger.js';
import { ConfigurationError } from '../config/configuration-error.js';

/** Runs a process's main function: a configuration that cannot be used leaves with 2, any other failure with 1. */
export async function runProcess(service: string, main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (err) {
    if (err instanceof ConfigurationError) process.stderr.write(`${err.message}\n`);
    else createLogger({ service }).error({ err }, 'Could not start');
    process.exit(err instanceof ConfigurationError ? 2 : 1);
  }
}
