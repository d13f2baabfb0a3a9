import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ApiError, PalimpsestClient } from '@palimpsest/client';
import { startAllInOne, type AllInOne } from '@palimpsest/app-all-in-one';
import { listApiKeys } from '@palimpsest/gateway';
import { createLogger, readAllInOneConfig, shutDownOnSignal, type AllInOneConfig } from '@palimpsest/host';
import {
  CREDENTIALS_FILE,
  DATA_FOLDER,
  readCredentials,
  writeCredentials,
} from '../credentials/credentials-file.js';
import { PalimpsestApi } from '../client/palimpsest-api.js';
import { withKeyDatabase } from '../keys/key-database.js';
import type { Environment, Output } from '../output/output.js';
import { plural } from '../output/text.js';
import type { Session } from '../program/session.js';
import { checkPort } from './check-port.js';
import { clientUrl } from './client-url.js';
import { startFailure } from './start-failure.js';
import { workLines, workOf, type Work } from './start-work.js';

export type StartOptions = {
  readonly port?: number;
  readonly host?: string;
  readonly dataDir?: string;
  readonly logLevel?: string;
  readonly json?: boolean;
};

type Opened = {
  readonly url: string;
  readonly credentials: string;
  /** Of a key that was made just now; it is shown this once. */
  readonly newKey?: string;
  /** Ids of keys that earlier starts made and that still open, where there is a new one. */
  readonly olderKeys?: readonly string[];
};

type Started = Opened & Work;

/** `palimpsest start`: every service in this process, until a signal. */
export async function runStart(options: StartOptions, { output, environment }: Session): Promise<void> {
  const config = readAllInOneConfig(startEnvironment(options, environment));
  await checkPort(config.host, config.port);
  if (!options.json) output.note('Starting every service in this process …');
  const logger = createLogger({ service: 'palimpsest', level: config.logLevel });
  const running = await startAllInOne({ config, logger }).catch((error: unknown) => {
    throw startFailure(error, config);
  });
  const close = (): Promise<void> => {
    output.note('Stopping: what is at work is finished first …');
    return running.close();
  };
  shutDownOnSignal({ close, timeoutMs: config.shutdownTimeoutMs, logger });
  const opened = await openForClients(running, config);
  const started: Started = { ...opened, ...workOf(running, config) };
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
async function openForClients(running: AllInOne, config: AllInOneConfig): Promise<Opened> {
  const url = clientUrl(running.url);
  const credentials = join(config.dataDirectory, 'credentials.json');
  const key = existsSync(credentials) ? readCredentials(credentials).key : undefined;
  if (key !== undefined && (await isAccepted(url, key))) {
    writeCredentials(credentials, { url, key });
    return { url, credentials };
  }
  const olderKeys = await keysOfEarlierStarts(config);
  const newKey = await running.createKey(KEY_NAME);
  writeCredentials(credentials, { url, key: newKey });
  return { url, credentials, newKey, ...(olderKeys.length > 0 && { olderKeys }) };
}

const KEY_NAME = 'palimpsest start';

async function keysOfEarlierStarts({ databaseUrl, dataDirectory }: AllInOneConfig): Promise<string[]> {
  const place = databaseUrl === undefined ? { dataDir: dataDirectory } : { databaseUrl };
  const keys = await withKeyDatabase(place, {}, (database) => listApiKeys(database, 'default'));
  const opens = (until: Date | null): boolean => until === null || until.getTime() > Date.now();
  return keys
    .filter(({ name, revokedAt, expiresAt }) => name === KEY_NAME && revokedAt === null && opens(expiresAt))
    .map(({ keyId }) => keyId);
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

function describeStart(started: Started, config: AllInOneConfig, output: Output): void {
  const { url, credentials } = started;
  const { bold, cyan } = output.colours;
  const found = relative(process.cwd(), credentials) === CREDENTIALS_FILE;
  const how = found ? '' : ` --credentials ${credentials}`;
  output.lines([
    '',
    bold('Palimpsest is running. Ctrl-C stops it.'),
    '',
    `  API         ${cyan(`${url}/v1`)}`,
    `  API docs    ${cyan(`${url}/docs`)}  (OpenAPI: ${url}/v1/openapi.json)`,
    `  data        ${config.databaseUrl === undefined ? config.dataDirectory : 'in the database of DATABASE_URL'}`,
    ...workLines(started, config),
    ...keyLines(started, config, output),
    '',
    'In another terminal, in this folder of the clone:',
    '',
    `  npx palimpsest import examples/incident-session.jsonl --budget 4000${how}`,
    `  npx palimpsest runs${how}`,
    `  npx palimpsest window <run> --why${how}`,
    '',
    'With curl:',
    '',
    '  export PALIMPSEST_API_KEY=…   # the key above',
    `  curl -H "Authorization: Bearer $PALIMPSEST_API_KEY" ${url}/v1/runs`,
    '',
    'Read on: README.md and docs/ in the clone; "npx palimpsest --help".',
  ]);
}

function keyLines(
  { credentials, newKey, olderKeys }: Opened,
  config: AllInOneConfig,
  output: Output,
): string[] {
  const { dim } = output.colours;
  if (newKey === undefined) return [`  key         the one in ${credentials}`];
  const lines = [
    `  key         ${newKey}`,
    dim(`              shown this once; kept in ${credentials}, readable by you only`),
  ];
  if (olderKeys === undefined) return lines;
  const isDefault =
    config.databaseUrl !== undefined || relative(process.cwd(), config.dataDirectory) === DATA_FOLDER;
  const where = isDefault ? '' : ` --data-dir ${config.dataDirectory}`;
  return [
    ...lines,
    `              It is new: ${credentials} held none that opens.`,
    `              ${plural(olderKeys.length, 'key')} of earlier starts still ${olderKeys.length === 1 ? 'opens' : 'open'}. To list and end them:`,
    `                npx palimpsest keys list${where}`,
    ...olderKeys.map((keyId) => `                npx palimpsest keys revoke ${keyId}${where}`),
  ];
}
