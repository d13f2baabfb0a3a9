import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ApiError, PalimpsestClient } from '@palimpsest/client';
import { startAllInOne, type AllInOne } from '@palimpsest/app-all-in-one';
import { createLogger, readAllInOneConfig, shutDownOnSignal, type AllInOneConfig } from '@palimpsest/host';
import { CREDENTIALS_FILE, readCredentials, writeCredentials } from '../credentials/credentials-file.js';
import { PalimpsestApi } from '../client/palimpsest-api.js';
import type { Environment, Output } from '../output/output.js';
import type { Session } from '../program/session.js';
import { checkPort } from './check-port.js';
import { clientUrl } from './client-url.js';

export type StartOptions = {
  readonly port?: number;
  readonly host?: string;
  readonly dataDir?: string;
  readonly logLevel?: string;
  readonly json?: boolean;
};

type Started = {
  readonly url: string;
  readonly credentials: string;
  /** Of a key that was made just now; it is shown this once. */
  readonly newKey?: string;
};

/** `palimpsest start`: every service in this process, until a signal. */
export async function runStart(options: StartOptions, { output, environment }: Session): Promise<void> {
  const config = readAllInOneConfig(startEnvironment(options, environment));
  await checkPort(config.host, config.port);
  if (!options.json) output.note('Starting every service in this process …');
  const logger = createLogger({ service: 'palimpsest', level: config.logLevel });
  const running = await startAllInOne({ config, logger });
  const close = (): Promise<void> => {
    output.note('Stopping: what is at work is finished first …');
    return running.close();
  };
  shutDownOnSignal({ close, timeoutMs: config.shutdownTimeoutMs, logger });
  const started = await openForClients(running, config);
  if (options.json) output.json({ ...started, docs: `${started.url}/docs` });
  else describeStart(started, config, output);
}

/** Options win over the environment; a terminal that is somebody's is not for a line per request. */
function startEnvironment(options: StartOptions, environment: Environment): Environment {
  return {
    ...environment,
    PALIMPSEST_LOG_LEVEL: options.logLevel ?? (environment['PALIMPSEST_LOG_LEVEL'] || 'warn'),
    ...(options.port !== undefined && { PALIMPSEST_PORT: String(options.port) }),
    ...(options.host !== undefined && { PALIMPSEST_HOST: options.host }),
    ...(options.dataDir !== undefined && { PALIMPSEST_DATA_DIR: options.dataDir }),
  };
}

/** A key for the clients here: the one of the last start while it is good, else a new one. */
async function openForClients(running: AllInOne, config: AllInOneConfig): Promise<Started> {
  const url = clientUrl(running.url);
  const credentials = join(config.dataDirectory, 'credentials.json');
  const key = existsSync(credentials) ? readCredentials(credentials).key : undefined;
  if (key !== undefined && (await isAccepted(url, key))) {
    writeCredentials(credentials, { url, key });
    return { url, credentials };
  }
  const newKey = await running.createKey('palimpsest start');
  writeCredentials(credentials, { url, key: newKey });
  return { url, credentials, newKey };
}

async function isAccepted(url: string, key: string): Promise<boolean> {
  try {
    await new PalimpsestApi(new PalimpsestClient({ url, key })).listRuns({ limit: 1 });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return false;
    throw error;
  }
}

function describeStart({ url, credentials, newKey }: Started, config: AllInOneConfig, output: Output): void {
  const { bold, cyan, dim } = output.colours;
  const found = relative(process.cwd(), credentials) === CREDENTIALS_FILE;
  const how = found ? '' : ` --credentials ${credentials}`;
  output.lines([
    '',
    bold('Palimpsest is running. Ctrl-C stops it.'),
    '',
    `  API         ${cyan(`${url}/v1`)}`,
    `  API docs    ${cyan(`${url}/docs`)}  (OpenAPI: ${url}/v1/openapi.json)`,
    `  data        ${config.databaseUrl === undefined ? config.dataDirectory : 'in the database of DATABASE_URL'}`,
    ...(newKey === undefined
      ? [`  key         the one in ${credentials}`]
      : [
          `  key         ${newKey}`,
          dim(`              shown this once; kept in ${credentials}, readable by you only`),
        ]),
    '',
    'In another terminal, in this folder:',
    '',
    `  palimpsest import examples/incident-session.jsonl --budget 4000${how}`,
    `  palimpsest runs${how}`,
    `  palimpsest window <run> --why${how}`,
    '',
    'With curl:',
    '',
    `  curl -H "Authorization: Bearer $PALIMPSEST_API_KEY" ${url}/v1/runs`,
    '',
    'Read on: README.md and docs/architecture.md in the clone, "palimpsest --help" anywhere.',
  ]);
}
