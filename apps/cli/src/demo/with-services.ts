import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PalimpsestClient } from '@palimpsest/client';
import { startAllInOne, type AllInOne } from '@palimpsest/app-all-in-one';
import { createLogger, readAllInOneConfig } from '@palimpsest/host';
import { PalimpsestApi } from '../client/palimpsest-api.js';
import type { Environment } from '../output/output.js';
import { EXIT, type ExitCode } from '../program/cli-error.js';
import type { Session } from '../program/session.js';

type Work = (api: PalimpsestApi) => Promise<ExitCode>;

/**
 * Starts every service in this process on a temporary database and free ports, does the work, and leaves
 * nothing behind, on Ctrl-C and SIGTERM neither. `variables`: what the demo wants of its services.
 */
export async function withServices(
  { output }: Session,
  work: Work,
  variables: Environment = {},
): Promise<ExitCode> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-demo-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  // Whatever ends this process, a second Ctrl-C too: the database's own supervisor ends the database.
  process.once('exit', remove);
  const interrupted = signalled();
  let services: AllInOne | undefined;
  try {
    const started = performance.now();
    output.live('Starting every service in this process, on a temporary Postgres …');
    const starting = start(folder, variables);
    services = await Promise.race([starting, interrupted.then(() => undefined)]);
    if (!services) {
      services = await starting.catch(() => undefined);
      return EXIT.interrupted;
    }
    const key = await services.createKey('demo');
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    output.note(`Started every service in this process, on a temporary Postgres, in ${seconds} s.`);
    const api = new PalimpsestApi(new PalimpsestClient({ url: services.url, key }));
    const working = work(api);
    // Once interrupted, its requests fail one after the other, and nobody asks why.
    working.catch(() => undefined);
    return await Promise.race([working, interrupted.then(() => EXIT.interrupted)]);
  } finally {
    await services?.close();
    remove();
  }
}

function start(folder: string, variables: Environment): Promise<AllInOne> {
  // Only what the demo says counts: no variable of the caller's may point it at a database of theirs.
  const config = readAllInOneConfig({
    ...variables,
    PALIMPSEST_PORT: '0',
    PALIMPSEST_DATA_DIR: folder,
    PALIMPSEST_LOG_LEVEL: 'error',
  });
  const logger = createLogger({ service: 'palimpsest', level: config.logLevel });
  return startAllInOne({ config, logger, temporary: true });
}

/** Resolves at the first SIGINT or SIGTERM; at the second this process ends at once. */
function signalled(): Promise<void> {
  return new Promise((resolve) => {
    let seen = false;
    const onSignal = (): void => {
      if (seen) process.exit(EXIT.interrupted);
      seen = true;
      resolve();
    };
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  });
}
