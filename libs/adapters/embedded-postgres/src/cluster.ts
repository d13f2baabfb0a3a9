import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { chmodSync, chownSync, lchownSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import type { ServerAccount } from './server-account.js';
import type { ServerBinaries } from './server-binaries.js';
import { temporaryFolder } from './temporary-folder.js';

/** Where the data stands and how to log in. */
export type Cluster = { readonly data: string; readonly password: string };

type ClusterRequest = {
  readonly home: string;
  readonly binaries: ServerBinaries;
  readonly account: ServerAccount | undefined;
  readonly durable: boolean;
};

/** Opens the cluster under `home`, made on first use: `data/`, owned by the account, and `password`, ours. */
export async function openCluster(request: ClusterRequest): Promise<Cluster> {
  const { home, account, binaries } = request;
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const data = join(home, 'data');
  if (!existsSync(data)) await createCluster(request, data);
  refuseOtherMajor(data, binaries.major);
  if (account && lstatSync(data).uid !== account.uid) giveTo(account, data);
  return { data, password: readFileSync(join(home, 'password'), 'utf8') };
}

/**
 * Where a process whose working directory is the data folder finds it. Another account cannot walk to a clone
 * under a 0700 folder, but it may use the folder it was started in.
 */
export function dataPathFor(account: ServerAccount | undefined, data: string): string {
  return account && process.platform === 'linux' ? '/proc/self/cwd' : data;
}

/** The cluster appears under its name only when it is whole: a crash in between leaves nothing to trip over. */
async function createCluster(request: ClusterRequest, data: string): Promise<void> {
  const { home, account } = request;
  const unfinished = join(home, 'data.unfinished');
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  const password = randomBytes(18).toString('base64url');
  writeFileSync(join(home, 'password'), password, { mode: 0o600 });
  const lent = mkdtempSync(join(temporaryFolder(account), 'palimpsest-initdb-'));
  try {
    writeFileSync(join(lent, 'password'), `${password}\n`, { mode: 0o600 });
    if (account) [unfinished, lent, join(lent, 'password')].forEach((path) => chown(account, path));
    await runInitdb(request, unfinished, join(lent, 'password'));
    renameSync(unfinished, data);
  } finally {
    rmSync(lent, { recursive: true, force: true });
  }
}

async function runInitdb(request: ClusterRequest, folder: string, passwordFile: string): Promise<void> {
  const { account, binaries, durable } = request;
  const args = ['-D', dataPathFor(account, folder), '-U', 'postgres', '--auth=scram-sha-256'];
  args.push(`--pwfile=${passwordFile}`, '--encoding=UTF8', '--no-locale', '--no-instructions');
  if (!durable) args.push('--no-sync');
  try {
    await promisify(execFile)(binaries.initdb, args, { cwd: folder, env: { LC_ALL: 'C' }, ...account });
  } catch (cause) {
    const { stderr: log = '' } = cause as { stderr?: string };
    throw new EmbeddedPostgresError('The embedded Postgres could not create its data folder.', {
      cause,
      log: log.trim(),
    });
  }
}

function refuseOtherMajor(data: string, major: string): void {
  const found = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  if (found === major) return;
  throw new EmbeddedPostgresError(
    `${data} was made by Postgres ${found}, the embedded one is ${major}: move the folder away, ` +
      'or dump it with the old version and load it into the new one.',
  );
}

function giveTo(account: ServerAccount, folder: string): void {
  chown(account, folder);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    lchownSync(join(entry.parentPath, entry.name), account.uid, account.gid);
  }
  chmodSync(folder, 0o700);
}

function chown(account: ServerAccount, path: string): void {
  chownSync(path, account.uid, account.gid);
}
