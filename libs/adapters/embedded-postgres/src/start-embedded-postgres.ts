import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@palimpsest/kernel';
import { dataPathFor, openCluster } from './cluster.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { freePort } from './free-port.js';
import { KeptServer } from './kept-server.js';
import { clearLockFile, readLockFile } from './lock-file.js';
import { serverAccount } from './server-account.js';
import { serverBinaries } from './server-binaries.js';
import { startServerProcess, type ServerProcess } from './server-process.js';
import { serverSettings } from './server-settings.js';
import { urlOf } from './server-url.js';

export type EmbeddedPostgresOptions = {
  /** True: the data stays in `dataDir` for the next start. False: it is removed when the server stops. */
  readonly persistent: boolean;
  /** Required where persistent; else the data stands in a fresh folder inside it (default: a temporary folder). */
  readonly dataDir?: string;
  /** Default: a free one. */
  readonly port?: number;
  /** False trades safety at a power cut for speed (no fsync). Default true. */
  readonly durable?: boolean;
  readonly logger?: Logger;
};

export type EmbeddedPostgres = {
  /** `postgres://…@127.0.0.1:<port>/postgres`, of a superuser with a password made for this data folder. */
  readonly url: string;
  /** Fast shutdown; resolves when the server is gone. May be called again. */
  stop(): Promise<void>;
};

const START_MS = 60_000;
const POLL_MS = 25;
const ATTEMPTS = 3;

/**
 * Starts a real Postgres from the registry's binaries on the loopback address. It stops with this process, in
 * whatever way that ends; a persistent one that ends by itself is started again. Throws `EmbeddedPostgresError`.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  for (let attempt = 1; ; attempt += 1) {
    const home = homeOf(options);
    try {
      return await startIn(home, options);
    } catch (error) {
      if (!options.persistent) rmSync(home, { recursive: true, force: true });
      // A free port can be taken before the server binds it; a port that was asked for is the caller's affair.
      if (!isPortTaken(error) || options.port !== undefined || attempt === ATTEMPTS) throw error;
    }
  }
}

function homeOf({ persistent, dataDir }: EmbeddedPostgresOptions): string {
  if (dataDir === undefined) {
    if (persistent) throw new EmbeddedPostgresError('A persistent embedded Postgres needs a data folder.');
    return mkdtempSync(join(tmpdir(), 'palimpsest-data-'));
  }
  if (persistent) return resolve(dataDir);
  mkdirSync(dataDir, { recursive: true });
  return mkdtempSync(join(resolve(dataDir), 'temporary-'));
}

async function startIn(home: string, options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { server, port, password } = await startServer(home, options);
  const url = urlOf(port, password);
  if (!options.persistent) return { url, stop: () => server.stop() };
  const startAgain = async (): Promise<ServerProcess> =>
    (await startServer(home, { ...options, port })).server;
  const { logger } = options;
  const kept = new KeptServer({ server, startAgain, ...(logger && { logger }) });
  return { url, stop: () => kept.stop() };
}

type StartedServer = { readonly server: ServerProcess; readonly port: number; readonly password: string };

async function startServer(home: string, options: EmbeddedPostgresOptions): Promise<StartedServer> {
  const account = serverAccount();
  const binaries = serverBinaries(account);
  const durable = options.durable ?? true;
  const { data, password } = await openCluster({ home, binaries, account, durable });
  await clearLockFile(data);
  const port = options.port ?? (await freePort());
  const server = startServerProcess({
    command: binaries.postgres,
    args: ['-D', dataPathFor(account, data), ...serverSettings(port, durable)],
    cwd: data,
    account,
    logFile: join(home, 'postgres.log'),
    ...(!options.persistent && { removeDir: home }),
  });
  await untilReady(server, data);
  options.logger?.info({ port }, 'embedded Postgres is ready');
  return { server, port, password };
}

async function untilReady(server: ServerProcess, data: string): Promise<void> {
  for (let waited = 0; waited < START_MS && server.exit() === undefined; waited += POLL_MS) {
    const lock = readLockFile(data);
    if (lock && lock.pid === server.pid() && lock.status === 'ready') return;
    await pause(POLL_MS);
  }
  const exit = server.exit();
  const log = server.lastWords();
  await server.stop();
  throw new EmbeddedPostgresError(
    exit === undefined
      ? `The embedded Postgres was not ready after ${START_MS / 1000} s.`
      : `The embedded Postgres did not start (${exit}).`,
    { log },
  );
}

function isPortTaken(error: unknown): boolean {
  return error instanceof EmbeddedPostgresError && /could not bind .*in use/i.test(error.message);
}
